// Clock, console, lock and exit of a POSIX process; port/linux_rt uses them too.
#define _POSIX_C_SOURCE 200809L
#include "process.h"

#include "ecp_port.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct timespec start;
static sigset_t held;
static uint32_t depth;

void process_start(void)
{
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)(t.tv_sec - start.tv_sec) * UINT64_C(1000000000) + (uint64_t)t.tv_nsec -
           (uint64_t)start.tv_nsec;
}

uint32_t ecp_port_cycles(void)
{
    return (uint32_t)now_ns();
}

uint32_t ecp_port_cycles_per_us(void)
{
    return 1000;
}

uint64_t ecp_port_time_us(void)
{
    return now_ns() / 1000u;
}

// sleeping until a moment, not for a time: what happens before the call does not add up
void ecp_port_sleep_until_us(uint64_t time_us)
{
    const uint64_t ns = time_us * 1000u + (uint64_t)start.tv_nsec;
    const struct timespec until = { .tv_sec = start.tv_sec + (time_t)(ns / UINT64_C(1000000000)),
                                    .tv_nsec = (long)(ns % UINT64_C(1000000000)) };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {
    }
}

void ecp_port_putc(char c)
{
    (void)putchar(c);
}

int ecp_port_getc(void)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    unsigned char c;
    (void)fflush(stdout);
    return poll(&in, 1, 0) == 1 && read(STDIN_FILENO, &c, 1) == 1 ? c : -1;
}

uint32_t ecp_port_lock(void)
{
    if (depth == 0) {
        sigset_t all;
        (void)sigfillset(&all);
        (void)sigprocmask(SIG_SETMASK, &all, &held);
    }
    return depth++;
}

void ecp_port_unlock(uint32_t key)
{
    depth = key;
    if (depth == 0) {
        (void)sigprocmask(SIG_SETMASK, &held, NULL);
    }
}

_Noreturn void ecp_port_exit(int status)
{
    (void)fflush(stdout);
    exit(status < 0 || status > 123 ? 123 : status);
}
