#include "stack.h"

#define PAINT UINT32_C(0xC5C5C5C5)
/// Room for the frame of stack_paint itself, bytes.
#define OWN_FRAME 64u

#if defined(ECP_NO_STACK_SYMBOLS)

uintptr_t stack_paint(void) { return 0; }
uint32_t stack_used(uintptr_t top) { return (uint32_t)(top & 0u); }
uintptr_t stack_top(void) { return 0; }

#else

extern uint32_t _ebss[], _estack[];

uintptr_t stack_paint(void)
{
    uint32_t *const end = (uint32_t *)((uintptr_t)__builtin_frame_address(0) - OWN_FRAME);
    for (volatile uint32_t *p = _ebss; (uintptr_t)p < (uintptr_t)end; p++) {
        *p = PAINT;
    }
    return (uintptr_t)__builtin_frame_address(0);
}

uint32_t stack_used(uintptr_t top)
{
    const volatile uint32_t *p = _ebss;
    while ((uintptr_t)p < top && *p == PAINT) {
        p++;
    }
    return (uint32_t)(top - (uintptr_t)p);
}

uintptr_t stack_top(void)
{
    return (uintptr_t)_estack;
}

#endif
