// A port that compiles and links and has no hardware yet: replace the bodies from top to bottom. In
// this order every step can be tried with the application `predict` before the next is begun.
#include "ecp_port.h"

/// 1. Console out: write c where a person can read it.
void ecp_port_putc(char c)
{
    (void)c;
}

/// 2. The end: park. With a debugger or emulator: hand the status over.
_Noreturn void ecp_port_exit(int status)
{
    (void)status;
    for (;;) {
    }
}

/// 3. Counter: a 32-bit timer that wraps at 2^32, the faster the better.
uint32_t ecp_port_cycles(void)
{
    return 0;
}

uint32_t ecp_port_cycles_per_us(void)
{
    return 1;
}

/// 4. Clock: microseconds that do not wrap; widen a short counter by counting its overflows.
uint64_t ecp_port_time_us(void)
{
    return ecp_port_cycles() / ecp_port_cycles_per_us();
}

void ecp_port_sleep_until_us(uint64_t time_us)
{
    while (ecp_port_time_us() < time_us) {
    }
}

/// 5. Lock: mask interrupts and return what the mask was, so that locks can be nested.
uint32_t ecp_port_lock(void)
{
    return 0;
}

void ecp_port_unlock(uint32_t key)
{
    (void)key;
}

/// 6. Console in: a byte if there is one, never wait.
int ecp_port_getc(void)
{
    return -1;
}

/// Called first: start what the functions above use.
void ecp_port_init(void)
{
}

const char *ecp_port_missing(void)
{
    return "template: no counter, no console\n";
}
