// ARM Cortex-M: DWT cycle counter where there is one, else SysTick; SysTick as clock; PRIMASK as lock.
//
// The board gives the rest in board.h: BOARD_CORE_HZ (SysTick runs at it too), BOARD_SEMIHOSTING and
// board_uart_init, board_uart_put, board_uart_get.
#include "ecp_port.h"

#include "board.h"

#include <stdbool.h>

#define REG(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define SYST_CSR REG(0xE000E010u)
#define SYST_RVR REG(0xE000E014u)
#define SYST_CVR REG(0xE000E018u)
#define ICSR REG(0xE000ED04u)
#define PENDSTSET (1u << 26)

/// SysTick counts down from here, then interrupts: 24 bits, so that interrupts are rare.
#define RELOAD 0x00FFFFFFu

static volatile uint32_t wraps;
static bool has_dwt;

void SysTick_Handler(void);
void SysTick_Handler(void)
{
    wraps++;
}

// ---------------------------------------------------------------------------------------------
// counter and clock

// a part without counter reads 0, as do some emulators
static bool start_dwt(void)
{
#if defined(__ARM_ARCH_6M__)
    return false;
#else
    REG(0xE000EDFCu) |= 1u << 24;  // DEMCR.TRCENA
    REG(0xE0001004u) = 0;          // CYCCNT
    REG(0xE0001000u) |= 1u;        // CTRL.CYCCNTENA
    const uint32_t first = REG(0xE0001004u);
    for (volatile int i = 0; i < 8; i++) {
    }
    return REG(0xE0001004u) != first;
#endif
}

void ecp_port_init(void)
{
    board_uart_init();
    SYST_RVR = RELOAD;
    SYST_CVR = 0;
    SYST_CSR = 7u;  // enable, interrupt, core clock
    has_dwt = start_dwt();
}

const char *ecp_port_missing(void)
{
    return has_dwt ? "" : "DWT cycle counter: not present, SysTick counts instead\n";
}

// ticks since the counter last arrived at 0, which is when its interrupt becomes pending; it stays
// there for one tick and is loaded with the next
static uint32_t ticks_of_round(void)
{
    return (0u - SYST_CVR) & RELOAD;
}

// ticks since init; while interrupts are held back one wrap is seen, a second would be lost
static uint64_t ticks(void)
{
    static uint64_t last;
    const uint32_t key = ecp_port_lock();
    uint32_t whole = wraps, rest = ticks_of_round();
    if (ICSR & PENDSTSET) {
        whole++;
        rest = ticks_of_round();
    }
    uint64_t now = (uint64_t)whole * (RELOAD + 1u) + rest;
    // an emulator may let the counter wrap a moment before the interrupt is pending
    if (now < last) {
        now += RELOAD + 1u;
    }
    last = now;
    ecp_port_unlock(key);
    return now;
}

uint32_t ecp_port_cycles(void)
{
#if !defined(__ARM_ARCH_6M__)
    if (has_dwt) {
        return REG(0xE0001004u);
    }
#endif
    return (uint32_t)ticks();
}

uint32_t ecp_port_cycles_per_us(void)
{
    return BOARD_CORE_HZ / 1000000u;
}

uint64_t ecp_port_time_us(void)
{
    return ticks() / (BOARD_CORE_HZ / 1000000u);
}

void ecp_port_sleep_until_us(uint64_t time_us)
{
    while (ecp_port_time_us() < time_us) {
    }
}

// ---------------------------------------------------------------------------------------------
// console and lock

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
    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(key) : : "memory");
    return key;
}

void ecp_port_unlock(uint32_t key)
{
    __asm__ volatile("msr primask, %0" : : "r"(key) : "memory");
}

// ---------------------------------------------------------------------------------------------
// the end

_Noreturn void ecp_port_exit(int status)
{
#if BOARD_SEMIHOSTING
    // SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit: an emulator or debugger ends with this status
    const uint32_t block[2] = { 0x20026u, (uint32_t)(status < 0 || status > 123 ? 123 : status) };
    register uint32_t r0 __asm__("r0") = 0x20u;
    register const uint32_t *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
#else
    (void)status;
#endif
    (void)ecp_port_lock();
    for (;;) {
        __asm__ volatile("wfi");
    }
}
