// bench: instructions and stack of every step of every scenario.
//
// Time is printed in counts of the port. Under QEMU a plugin (tools/qemu/icount.c) counts the
// instructions between mark_begin and mark_end; step and markers are kept apart from the code around
// them, or the compiler would move work across.
#include "ecp_port.h"
#include "print.h"
#include "scenes.h"
#include "stack.h"

#if defined(__clang__)
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noipa))
#endif

static ecp_world world;
static ecp_report report;
static ecp_real h;

APART void mark_begin(void);
APART void mark_end(void);
APART void mark_begin(void) { __asm__ volatile("" : : : "memory"); }
APART void mark_end(void) { __asm__ volatile("" : : : "memory"); }

APART static ecp_status step(void)
{
    return ecp_step(&world, h, &report);
}

static void print_row(const scene_data *s, uint32_t longest, uint32_t stack, uint32_t iterations)
{
    print_text("bench ");
    print_text(s->name);
    print_text(" steps ");
    print_number(s->steps);
    print_text(" counts ");
    print_number(longest);
    print_text(" stack ");
    print_number(stack);
    print_text(" iterations ");
    print_number(iterations);
    print_text("\n");
}

// an interrupt within a step would be counted with it
static bool run(const scene_data *s)
{
    uint32_t longest = 0, iterations = 0;
    h = s->h;
    ecp_status status = scene_init(s, &world);
    const uintptr_t top = stack_paint();
    for (uint32_t k = 0; status >= 0 && k < s->steps; k++) {
        status = scene_load(s, &world, k);
        const uint32_t key = ecp_port_lock();
        const uint32_t start = ecp_port_cycles();
        mark_begin();
        status = status < 0 ? status : step();
        mark_end();
        const uint32_t counts = ecp_port_cycles() - start;
        ecp_port_unlock(key);
        longest = counts > longest ? counts : longest;
        iterations = (uint32_t)report.iterations > iterations ? (uint32_t)report.iterations : iterations;
    }
    print_row(s, longest, stack_used(top), iterations);
    return status >= 0;
}

int main(void)
{
    int failures = 0;
    ecp_port_init();
    print_text("bench world ");
    print_number((uint32_t)sizeof(ecp_world));
    print_text(" report ");
    print_number((uint32_t)sizeof(ecp_report));
    print_text("\n");
    for (int i = 0; i < scene_count; i++) {
        failures += run(scenes[i]) ? 0 : 1;
    }
    ecp_port_exit(failures);
}
