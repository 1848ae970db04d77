// loop: predicts one millisecond every millisecond, as a controller would, and shows how late the
// wake-ups were and how long the steps took.
//
//   build/linux_rt/loop [SECONDS]
//
// Works without privileges; what real-time Linux did not grant is printed first. Exit status 1 only
// if a step was refused: lateness depends on the machine and is shown, not judged.
#include "ecp_port.h"
#include "print.h"
#include "scenes.h"

#include <stdlib.h>

#define PERIOD_US 1000u
/// Bins of the histograms: bin i counts times below 2^i microseconds.
#define BINS 16

typedef struct histogram {
    uint32_t count[BINS];
    uint64_t sum, longest;
    uint32_t total;
} histogram;

static ecp_world world;
static ecp_report report;
static histogram late, busy;

static void add(histogram *h, uint64_t time_us)
{
    int i = 0;
    while (i < BINS - 1 && time_us >= UINT64_C(1) << i) {
        i++;
    }
    h->count[i]++;
    h->total++;
    h->sum += time_us;
    h->longest = time_us > h->longest ? time_us : h->longest;
}

// at most this long in the given share of all periods: the upper end of its bin
static uint32_t quantile(const histogram *h, uint32_t per_mille)
{
    uint64_t seen = 0;
    for (int i = 0; i < BINS; i++) {
        seen += h->count[i];
        if (seen * 1000u >= (uint64_t)h->total * per_mille) {
            return UINT32_C(1) << i;
        }
    }
    return UINT32_C(1) << (BINS - 1);
}

static void print_line(const char *name, const histogram *h)
{
    print_text(name);
    print_text(" us: mean ");
    print_number((uint32_t)(h->sum / (h->total > 0 ? h->total : 1u)));
    print_text(", half below ");
    print_number(quantile(h, 500));
    print_text(", 99 % below ");
    print_number(quantile(h, 990));
    print_text(", longest ");
    print_number((uint32_t)h->longest);
    print_text("\n");
}

static void print_histograms(void)
{
    print_text("below us   wake-ups late   steps busy\n");
    for (int i = 0; i < BINS; i++) {
        if (late.count[i] + busy.count[i] > 0) {
            print_number(UINT32_C(1) << i);
            print_text("   ");
            print_number(late.count[i]);
            print_text("   ");
            print_number(busy.count[i]);
            print_text("\n");
        }
    }
    print_line("late", &late);
    print_line("busy", &busy);
}

// one period: wake up when it is due, step, note both times; false when a step was refused
static bool period(const scene_data *s, uint64_t due_us, uint32_t k)
{
    ecp_port_sleep_until_us(due_us);
    const uint64_t start = ecp_port_time_us();
    add(&late, start - due_us);
    ecp_status status = k % (10u * s->steps) == 0 ? scene_init(s, &world) : ECP_OK;
    if (status >= 0) {
        status = ecp_step(&world, (ecp_real)PERIOD_US / (ecp_real)1000000, &report);
    }
    add(&busy, ecp_port_time_us() - start);
    return status >= 0;
}

int main(int argc, char **argv)
{
    const long seconds = argc > 1 ? strtol(argv[1], NULL, 10) : 5;
    const uint32_t periods = (uint32_t)(seconds < 1 ? 1 : seconds > 3600 ? 3600 : seconds) * 1000u;
    uint32_t missed = 0;
    ecp_port_init();
    print_text(ecp_port_missing());
    if (ecp_port_missing()[0] == '\0') {
        print_text("real-time scheduling, locked memory and one processor: granted\n");
    }
    print_text("1 kHz for ");
    print_number(periods / 1000u);
    print_text(" s\n");
    const uint64_t first = ecp_port_time_us() + PERIOD_US;
    for (uint32_t k = 0; k < periods; k++) {
        const uint64_t due = first + (uint64_t)k * PERIOD_US;
        if (!period(scenes[0], due, k)) {
            print_text("a step was refused: ");
            print_text(ecp_error(&world));
            print_text("\n");
            ecp_port_exit(1);
        }
        missed += ecp_port_time_us() > due + PERIOD_US ? 1u : 0u;
    }
    print_histograms();
    print_text("periods not finished in time: ");
    print_number(missed);
    print_text(" of ");
    print_number(periods);
    print_text("\n");
    ecp_port_exit(0);
}
