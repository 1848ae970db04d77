// microbit: nRF51822, a Cortex-M0 with 16 KiB of RAM. UART, polled.
//
// The emulated part has a SysTick; the silicon has none: there, use TIMER0 for counter and clock.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define BOARD_CORE_HZ 16000000u
/// 1: ecp_port_exit talks to an emulator or debugger. Without one it would end in a fault.
#ifndef BOARD_SEMIHOSTING
#define BOARD_SEMIHOSTING 1
#endif

#define UART_REG(offset) (*(volatile uint32_t *)(uintptr_t)(0x40002000u + (offset)))

static inline void board_uart_init(void)
{
    UART_REG(0x50C) = 24;          // PSELTXD, PSELRXD
    UART_REG(0x514) = 25;
    UART_REG(0x524) = 0x01D7E000;  // 115200 baud
    UART_REG(0x500) = 4;           // ENABLE
    UART_REG(0x008) = 1;           // STARTTX, STARTRX
    UART_REG(0x000) = 1;
}

static inline void board_uart_put(uint8_t c)
{
    UART_REG(0x11C) = 0;  // TXDRDY
    UART_REG(0x51C) = c;
    while (!UART_REG(0x11C)) {
    }
}

static inline int board_uart_get(void)
{
    if (!UART_REG(0x108)) {
        return -1;
    }
    UART_REG(0x108) = 0;  // RXDRDY
    return (int)(UART_REG(0x518) & 0xffu);
}

#endif
