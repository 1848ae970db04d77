// guard: small images that try what guards.ld forbids. Only NONE and STATUS may link.
#include "ecp_port.h"

#include <stdio.h>
#include <stdlib.h>

// results that escape: a call whose result nobody sees is deleted by the compiler
volatile uintptr_t sink;
volatile float factor = 3.0F;

int main(void)
{
    ecp_port_init();
#if defined(GUARD_MALLOC)
    sink = (uintptr_t)malloc(16);
#elif defined(GUARD_STDIO)
    sink = (uintptr_t)printf("%d\n", (int)factor);
#elif defined(GUARD_DOUBLE)
    factor = (float)((double)factor * 1.1);
#elif defined(GUARD_RAM)
    static volatile char large[0x4000000];
    sink = (uintptr_t)&large[sink];
#elif defined(GUARD_STATUS)
    ecp_port_exit(42);
#endif
    ecp_port_exit(0);
}
