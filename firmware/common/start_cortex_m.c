// Reset of a Cortex-M: vector table, floating-point unit, static data, then main.
#include "ecp_port.h"
#include "print.h"

#define REG(address) (*(volatile uint32_t *)(uintptr_t)(address))

extern const uint32_t _data_load[];
extern uint32_t _sdata[], _edata[], _sbss[], _ebss[], _estack[];

int main(void);
void SysTick_Handler(void);
void Reset_Handler(void);
void Fault_Handler(void);

void Reset_Handler(void)
{
#if defined(__ARM_FP)
    REG(0xE000ED88u) |= 0xFu << 20;  // CPACR: before the first floating-point instruction
    __asm__ volatile("dsb\n isb" : : : "memory");
#endif
    const uint32_t *from = _data_load;
    for (uint32_t *to = _sdata; to < _edata; to++) {
        *to = *from++;
    }
    for (uint32_t *to = _sbss; to < _ebss; to++) {
        *to = 0;
    }
    ecp_port_exit(main());
}

void Fault_Handler(void)
{
    print_text("fault");
#if !defined(__ARM_ARCH_6M__)
    print_text(": CFSR ");
    print_hex(REG(0xE000ED28u));
    print_text(" BFAR ");
    print_hex(REG(0xE000ED38u));
#endif
    print_text("\n");
    ecp_port_exit(123);
}

typedef void vector(void);
typedef struct vectors {
    const uint32_t *stack;
    vector *handler[15];
} vectors;

// no external interrupt is ever enabled, so the table ends after SysTick
extern const vectors vector_table;
__attribute__((section(".vectors"), used)) const vectors vector_table = {
    _estack,
    { Reset_Handler, Fault_Handler, Fault_Handler, Fault_Handler, Fault_Handler, Fault_Handler,
      Fault_Handler, Fault_Handler, Fault_Handler, Fault_Handler, Fault_Handler, Fault_Handler,
      Fault_Handler, Fault_Handler, SysTick_Handler }
};
