// RISC-V in machine mode: mcycle as counter, the board's timer as clock, mstatus.MIE as lock.
//
// The board gives the rest in board.h: BOARD_CORE_HZ, BOARD_TICK_HZ, board_time, board_exit and
// board_uart_init, board_uart_put, board_uart_get.
#include "ecp_port.h"

#include "board.h"

// the assembler is told about the CSR instructions here: an -march with zicsr has no libraries
#define CSR(text) ".option push\n.option arch, +zicsr\n" text "\n.option pop"

static uint64_t zero;

void ecp_port_init(void)
{
    board_uart_init();
    zero = board_time();
}

const char *ecp_port_missing(void)
{
    return "";
}

uint32_t ecp_port_cycles(void)
{
    uint32_t count;
    __asm__ volatile(CSR("csrr %0, mcycle") : "=r"(count));
    return count;
}

uint32_t ecp_port_cycles_per_us(void)
{
    return BOARD_CORE_HZ / 1000000u;
}

uint64_t ecp_port_time_us(void)
{
    return (board_time() - zero) / (BOARD_TICK_HZ / 1000000u);
}

void ecp_port_sleep_until_us(uint64_t time_us)
{
    while (ecp_port_time_us() < time_us) {
    }
}

void ecp_port_putc(char c)
{
    board_uart_put((uint8_t)c);
}

int ecp_port_getc(void)
{
    return board_uart_get();
}

uint32_t ecp_port_lock(void)
{
    uint32_t key;
    __asm__ volatile(CSR("csrrci %0, mstatus, 8") : "=r"(key) : : "memory");
    return key & 8u;
}

void ecp_port_unlock(uint32_t key)
{
    __asm__ volatile(CSR("csrs mstatus, %0") : : "r"(key) : "memory");
}

_Noreturn void ecp_port_exit(int status)
{
    board_exit(status < 0 || status > 123 ? 123u : (uint32_t)status);
    (void)ecp_port_lock();
    for (;;) {
        __asm__ volatile("wfi");
    }
}
