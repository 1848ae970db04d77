// stack.h - how deep the stack got: paint what is free, look later how much paint is left.
//
// Needs _ebss (end of static data) and _estack (first stack) from the linker script; a process has
// neither and measures nothing.
#ifndef ECP_STACK_H
#define ECP_STACK_H

#include <stdint.h>

/// Paint from the end of static data to just below the caller. Returns where the paint ends.
uintptr_t stack_paint(void);
/// Deepest use below top since the last paint, bytes; 0 where nothing is measured. A frame that was
/// reserved and not written is not seen.
uint32_t stack_used(uintptr_t top);
/// Top of the whole stack.
uintptr_t stack_top(void);

#endif
