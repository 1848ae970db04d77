// uart_cmsdk.h - the UART of ARM's CMSDK systems (MPS2 boards), polled. Needs BOARD_UART, its address.
#ifndef ECP_UART_CMSDK_H
#define ECP_UART_CMSDK_H

#include <stdint.h>

#define UART_REG(offset) (*(volatile uint32_t *)(uintptr_t)(BOARD_UART + (offset)))

static inline void board_uart_init(void)
{
    UART_REG(0x10) = 16;  // BAUDDIV, the least allowed
    UART_REG(0x08) = 3;   // CTRL: transmit and receive
    // a first read wakes an emulator that went to sleep before the receiver was on
    (void)UART_REG(0x00);
}

static inline void board_uart_put(uint8_t c)
{
    while (UART_REG(0x04) & 1u) {
    }
    UART_REG(0x00) = c;
}

static inline int board_uart_get(void)
{
    return UART_REG(0x04) & 2u ? (int)(UART_REG(0x00) & 0xffu) : -1;
}

#endif
