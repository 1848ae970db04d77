// rv32-virt: rv32imafdc on the machine `virt` of QEMU. 16550 UART, CLINT timer, test finisher.
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define BOARD_CORE_HZ 1000000000u
#define BOARD_TICK_HZ 10000000u
#define BOARD_BYTE(address) (*(volatile uint8_t *)(uintptr_t)(address))
#define BOARD_WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

/// Ticks of the timer since power on; the two halves are read until they belong together.
static inline uint64_t board_time(void)
{
    uint32_t high, low;
    do {
        high = BOARD_WORD(0x0200BFFCu);
        low = BOARD_WORD(0x0200BFF8u);
    } while (high != BOARD_WORD(0x0200BFFCu));
    return (uint64_t)high << 32 | low;
}

static inline void board_exit(uint32_t status)
{
    BOARD_WORD(0x00100000u) = status == 0 ? 0x5555u : status << 16 | 0x3333u;
}

static inline void board_uart_init(void)
{
    BOARD_BYTE(0x10000001u) = 0;  // no interrupts
    BOARD_BYTE(0x10000003u) = 3;  // 8 bits
}

static inline void board_uart_put(uint8_t c)
{
    while (!(BOARD_BYTE(0x10000005u) & 0x20u)) {
    }
    BOARD_BYTE(0x10000000u) = c;
}

static inline int board_uart_get(void)
{
    return BOARD_BYTE(0x10000005u) & 1u ? (int)BOARD_BYTE(0x10000000u) : -1;
}

#endif
