// ecp soak: random worlds, every step checked, counts by kind at the end.
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "progress.h"
#include "soak.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: ecp soak [--seed S] [--trials N] [--steps K] [--first T] [--json]\n"
    "  --seed S    seed of the random worlds, default 1\n"
    "  --trials N  worlds, default 100\n"
    "  --steps K   steps of each, default 100\n"
    "  --first T   number of the first trial, default 0: replays one found before\n"
    "  --bodies N  moving bodies of a world, 1 to 5, default 1\n"
    "  --json      counts as one JSON object before the last line\n";

/// Printed in full; the rest is only counted.
#define MAX_SHOWN 20

typedef struct tally {
    long steps, substepped, degraded, refused;
    long iterations[ECP_MAX_ITERATIONS + 1];
    double depth; // radii, of committed steps that did not begin inside
} tally;

typedef struct soak {
    uint64_t seed;
    long trials, steps, first, bodies;
    bool json, help;
    tally by_shape[SOAK_SHAPES];
    long by_start[SOAK_STARTS];
    long degraded_by_start[SOAK_STARTS];
    long too_fast, diverged, violations;
} soak;

// ---------------------------------------------------------------------------------------------
// arguments

static bool parse_whole(const char *text, long least, long *out)
{
    char *end;
    errno = 0;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *out >= least;
}

static int parse(soak *s, int argc, char **argv)
{
    static const char *const names[] = { "--seed", "--trials", "--steps", "--first", "--bodies" };
    long seed = 1;
    long *const targets[] = { &seed, &s->trials, &s->steps, &s->first, &s->bodies };
    static const long least[] = { 0, 1, 1, 0, 1 };
    for (int i = 0; i < argc; i++) {
        int k = 0;
        while (k < 5 && strcmp(argv[i], names[k]) != 0) {
            k++;
        }
        if (strcmp(argv[i], "--json") == 0) {
            s->json = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            s->help = true;
        } else if (k == 5) {
            return usage_error("soak", "unknown option", argv[i], "one that ecp soak --help lists");
        } else if (++i >= argc || !parse_whole(argv[i], least[k], targets[k])) {
            return usage_error("soak", "a value is missing or out of range after", names[k], "a whole number");
        }
    }
    if (s->bodies > SOAK_MAX_BODIES || s->bodies > ECP_MAX_MOVING || s->bodies + 1 > ECP_MAX_BODIES) {
        return usage_error("soak", "more moving bodies than this build can hold after", "--bodies", "1 to 5");
    }
    s->seed = (uint64_t)seed;
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------

static void show_fault(soak *s, long trial, long step, soak_fault f)
{
    if (s->violations++ < MAX_SHOWN) {
        fprintf(stderr,
                "soak: %s %.3g, limit %.3g, in step %ld; replay: ecp soak --seed %" PRIu64
                " --first %ld --trials 1 --steps %ld\n",
                f.what, f.value, f.limit, step, s->seed, trial, step);
    }
}

// a refused step must leave the state as it was; ECP_E_STATE is right where the body spins too fast
static bool refused(soak *s, const soak_scene *scene, const ecp_world *world, const ecp_state *before,
                    ecp_status status, long trial, long step)
{
    ecp_state after;
    (void)ecp_get_state(world, scene->body, &after);
    if (memcmp(&after, before, sizeof after) != 0) {
        show_fault(s, trial, step, (soak_fault){ "state changed by a refused step", 1, 0 });
    }
    s->by_shape[scene->kind].refused++;
    if (status == ECP_E_STATE && soak_turn(scene, before) > 0.499 * ECP_MAX_SUBSTEPS) {
        s->too_fast++;
        return true;
    }
    s->diverged++;
    show_fault(s, trial, step, (soak_fault){ ecp_status_name(status), (double)status, 0 });
    return false;
}

static void count(soak *s, const soak_scene *scene, const ecp_report *r, double depth, bool clean)
{
    tally *t = &s->by_shape[scene->kind];
    t->steps++;
    t->substepped += r->status == ECP_SUBSTEPPED;
    t->degraded += r->status == ECP_DEGRADED;
    s->by_start[scene->start]++;
    s->degraded_by_start[scene->start] += r->status == ECP_DEGRADED;
    t->iterations[r->iterations]++;
    if (clean && depth > t->depth) {
        t->depth = depth;
    }
}

static void run_trial(soak *s, soak_scene *scene, ecp_world *world, long trial)
{
    if (!soak_build(scene, world, s->seed, (uint64_t)trial)) {
        show_fault(s, trial, 0, (soak_fault){ ecp_error(world), 1, 0 });
        return;
    }
    for (long k = 1; k <= s->steps; k++) {
        ecp_state before, after;
        ecp_report report;
        soak_push(scene, world);
        (void)ecp_get_state(world, scene->body, &before);
        const ecp_status status = ecp_step(world, (ecp_real)scene->h, &report);
        if (status < 0) {
            (void)refused(s, scene, world, &before, status, trial, k);
            return;
        }
        (void)ecp_get_state(world, scene->body, &after);
        count(s, scene, &report, soak_depth(scene, &after), !(soak_depth(scene, &before) > 1e-9));
        const soak_fault f = soak_check(scene, world, &before, &report);
        if (f.what != NULL) {
            show_fault(s, trial, k, f);
            return;
        }
    }
}

// a world of several bodies; its steps are counted as of "boxes"
static void run_heap(soak *s, soak_heap *heap, ecp_world *world, long trial)
{
    static ecp_report start, report;
    ecp_state before[SOAK_MAX_BODIES + 1];
    if (!soak_heap_build(heap, world, (int)s->bodies, s->seed, (uint64_t)trial)) {
        show_fault(s, trial, 0, (soak_fault){ ecp_error(world), 1, 0 });
        return;
    }
    (void)ecp_observe(world, &start);
    for (long k = 1; k <= s->steps; k++) {
        soak_heap_push(heap, world);
        for (int i = 0; i <= heap->count; i++) {
            (void)ecp_get_state(world, i, &before[i]);
        }
        const ecp_status status = ecp_step(world, (ecp_real)heap->h, &report);
        if (status < 0) {
            s->by_shape[0].refused++;
            s->too_fast += status == ECP_E_STATE;
            if (status != ECP_E_STATE) {
                s->diverged++;
                show_fault(s, trial, k, (soak_fault){ ecp_status_name(status), (double)status, 0 });
            }
            return;
        }
        soak_scene counted = { .kind = SOAK_BOX };
        count(s, &counted, &report, 0.0, true);
        const soak_fault f = soak_heap_check(heap, world, before, &start, &report);
        if (f.what != NULL) {
            show_fault(s, trial, k, f);
            return;
        }
        start = report;
    }
}

// ---------------------------------------------------------------------------------------------
// output

static int percentile(const tally *t, double fraction)
{
    long sum = 0;
    for (int i = 0; i <= ECP_MAX_ITERATIONS; i++) {
        sum += t->iterations[i];
        if ((double)sum >= fraction * (double)t->steps) {
            return i;
        }
    }
    return ECP_MAX_ITERATIONS;
}

static void add(tally *sum, const tally *t)
{
    sum->steps += t->steps;
    sum->substepped += t->substepped;
    sum->degraded += t->degraded;
    sum->refused += t->refused;
    sum->depth = t->depth > sum->depth ? t->depth : sum->depth;
    for (int i = 0; i <= ECP_MAX_ITERATIONS; i++) {
        sum->iterations[i] += t->iterations[i];
    }
}

static void print_row(const char *name, const tally *t)
{
    printf("%-10s %9ld %10ld %9ld %8ld   %5d %5d %5d %5d   %.1e\n", name, t->steps, t->substepped,
           t->degraded, t->refused, percentile(t, 0.5), percentile(t, 0.95), percentile(t, 0.99),
           percentile(t, 1.0), t->depth);
}

static void print_tables(const soak *s, const tally *sum)
{
    printf("shape          steps substepped  degraded  refused   iterations 50/95/99/100 %%  depth/radius\n");
    for (int i = 0; i < SOAK_SHAPES && s->bodies == 1; i++) {
        print_row(soak_shape_name[i], &s->by_shape[i]);
    }
    print_row("all", sum);
    if (s->bodies > 1) {
        return;
    }
    printf("\nstart          steps   degraded\n");
    for (int i = 0; i < SOAK_STARTS; i++) {
        printf("%-12s %7ld %10ld\n", soak_start_name[i], s->by_start[i], s->degraded_by_start[i]);
    }
    printf("\nspinning too fast for h (refused, as it must be): %ld\n", s->too_fast);
}

static void print_json(const soak *s, const tally *t)
{
    printf("{\"seed\": %" PRIu64 ", \"trials\": %ld, \"steps\": %ld, \"substepped\": %ld, \"degraded\": %ld, "
           "\"too_fast\": %ld, \"diverged\": %ld, \"violations\": %ld, \"iterations_median\": %d, "
           "\"iterations_p99\": %d, \"iterations_max\": %d, \"depth_radii\": %.3g}\n",
           s->seed, s->trials, t->steps, t->substepped, t->degraded, s->too_fast, s->diverged, s->violations,
           percentile(t, 0.5), percentile(t, 0.99), percentile(t, 1.0), t->depth);
}

int cmd_soak(int argc, char **argv)
{
    static soak s;
    static tally sum;
    static soak_scene scene;
    static soak_heap heap;
    s = (soak){ .trials = 100, .steps = 100, .bodies = 1 };
    const int bad = parse(&s, argc, argv);
    if (bad != EXIT_DONE || s.help) {
        if (s.help) {
            fputs(usage, stdout);
        }
        return bad;
    }
    ecp_world *world = malloc(sizeof *world);
    if (world == NULL) {
        fputs("ecp soak: out of memory; expected room for one world\n", stderr);
        return EXIT_FAILED;
    }
    progress p = progress_start(isatty(STDERR_FILENO) != 0, "trial");
    for (long t = 0; t < s.trials; t++) {
        if (s.bodies > 1) {
            run_heap(&s, &heap, world, s.first + t);
        } else {
            run_trial(&s, &scene, world, s.first + t);
        }
        progress_show(&p, t + 1, s.trials);
    }
    progress_wipe(&p);
    free(world);
    for (int i = 0; i < SOAK_SHAPES; i++) {
        add(&sum, &s.by_shape[i]);
    }
    if (s.json) {
        print_json(&s, &sum);
    } else {
        print_tables(&s, &sum);
    }
    printf("soak: %ld trials, %ld steps, %ld degraded, %ld diverged, %ld violations\n", s.trials, sum.steps,
           sum.degraded, s.diverged, s.violations);
    return s.violations > 0 ? EXIT_FAILED : EXIT_DONE;
}
