// Reset of a Cortex-M for programs that print with the C library through a debugger (semihosting).
#include <stdint.h>
#include <stdlib.h>

extern const uint32_t load_data[];
extern uint32_t start_data[], end_data[], start_bss[], end_bss[], top_of_stack[];

int main(void);
void initialise_monitor_handles(void);
void reset(void);
void fault(void);
void _fini(void);

void reset(void)
{
#if defined(__ARM_FP)
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; // the floating-point unit, before its first instruction
    __asm__ volatile("dsb\n isb" : : : "memory");
#endif
    const uint32_t *from = load_data;
    for (uint32_t *to = start_data; to < end_data; to++) {
        *to = *from++;
    }
    for (uint32_t *to = start_bss; to < end_bss; to++) {
        *to = 0;
    }
    initialise_monitor_handles();
    exit(main());
}

void fault(void)
{
    _Exit(123);
}

// called by exit of the C library; the file that has it is left out with -nostartfiles
void _fini(void)
{
}

typedef void handler(void);
__attribute__((section(".vectors"), used)) static handler *const vectors[16] = {
    (handler *)top_of_stack, reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
    fault, fault, fault
};
