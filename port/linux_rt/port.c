// Real-time Linux: fixed priority, locked memory, one processor. Whatever is refused (without
// privileges most of it is) is left as it was and named by ecp_port_missing.
#define _GNU_SOURCE
#include "ecp_port.h"

#include "process.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/// Above the kernel's interrupt threads (50) on a PREEMPT_RT kernel.
#define PRIORITY 80
/// Stack made present before the loop, bytes.
#define STACK_TOUCHED 65536

static char missing[512];

static void note(const char *what, int error)
{
    const size_t used = strlen(missing);
    (void)snprintf(missing + used, sizeof missing - used, "%s: not granted (%s)\n", what, strerror(error));
}

static void take_priority(void)
{
    const struct sched_param p = { .sched_priority = PRIORITY };
    if (sched_setscheduler(0, SCHED_FIFO, &p) != 0) {
        note("SCHED_FIFO priority", errno);
    }
}

static void lock_memory(void)
{
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
        note("mlockall, memory that is never paged out", errno);
    }
    volatile char stack[STACK_TOUCHED];
    for (size_t i = 0; i < sizeof stack; i += 1024) {
        stack[i] = 0;
    }
}

// the last processor allowed: the first takes most interrupts
static void stay_on_one_processor(void)
{
    cpu_set_t allowed, one;
    size_t last = 0;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        note("CPU affinity", errno);
        return;
    }
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        last = CPU_ISSET(i, &allowed) ? i : last;
    }
    CPU_SET(last, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) {
        note("CPU affinity", errno);
    }
}

void ecp_port_init(void)
{
    take_priority();
    lock_memory();
    stay_on_one_processor();
    process_start();
}

const char *ecp_port_missing(void)
{
    return missing;
}
