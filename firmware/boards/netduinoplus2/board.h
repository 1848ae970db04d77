// netduinoplus2: STM32F405, a Cortex-M4F with the memory of a real part. USART1, polled.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

/// After reset the part runs at 16 MHz (HSI); an emulator may count faster.
#define BOARD_CORE_HZ 16000000u
/// 1: ecp_port_exit talks to an emulator or debugger. Without one it would end in a fault.
#ifndef BOARD_SEMIHOSTING
#define BOARD_SEMIHOSTING 1
#endif

#define BOARD_REG(address) (*(volatile uint32_t *)(uintptr_t)(address))

static inline void board_uart_init(void)
{
    BOARD_REG(0x40023830u) |= 1u;               // RCC_AHB1ENR: port A
    BOARD_REG(0x40023844u) |= 1u << 4;          // RCC_APB2ENR: USART1
    BOARD_REG(0x40020024u) = (BOARD_REG(0x40020024u) & ~0xFF0u) | 0x770u;         // PA9, PA10: function 7
    BOARD_REG(0x40020000u) = (BOARD_REG(0x40020000u) & ~0x3C0000u) | 0x280000u;   // in alternate mode
    BOARD_REG(0x40011008u) = 139u;              // BRR: 115200 baud at 16 MHz
    BOARD_REG(0x4001100Cu) = (1u << 13) | (1u << 3) | (1u << 2);  // CR1: on, transmit, receive
}

static inline void board_uart_put(uint8_t c)
{
    while (!(BOARD_REG(0x40011000u) & (1u << 7))) {
    }
    BOARD_REG(0x40011004u) = c;
}

static inline int board_uart_get(void)
{
    return BOARD_REG(0x40011000u) & (1u << 5) ? (int)(BOARD_REG(0x40011004u) & 0xffu) : -1;
}

#endif
