// ecp bench: time per step and Newton iterations of the built-in scenarios, of boxes resting apart, or
// of scenario files. Every repeat runs the scenario from its start, loads included.
#define _POSIX_C_SOURCE 200809L
#include "assets.h"
#include "commands.h"
#include "json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: ecp bench [--json] [--repeats N] [FILE...]\n"
    "  --json       one JSON object a scene, a line each\n"
    "  --repeats N  runs of each scene, default 9; the least and the median time are shown\n"
    "  FILE...      scenario files instead of the built-in scenes\n"
    "Times are of this machine and this moment: compare within one run.\n";

typedef struct arguments {
    bool json, help;
    bool headed; ///< the head of the table is out
    long repeats;
    int file_count;
    char **files;
} arguments;

typedef struct figures {
    const char *scene;
    long steps, degraded;
    double us_least, us_median;
    int iterations_median, iterations_p99, iterations_max;
    double depth; ///< worst penetration, m
} figures;

static int parse(arguments *a, int argc, char **argv)
{
    *a = (arguments){ .repeats = 9 };
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            a->json = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            a->help = true;
        } else if (strcmp(argv[i], "--repeats") == 0) {
            char *end = NULL;
            errno = 0;
            a->repeats = i + 1 < argc ? strtol(argv[++i], &end, 10) : 0;
            if (errno != 0 || !end || *end || a->repeats < 1 || a->repeats > 1000000) {
                return usage_error("bench", "--repeats needs", NULL, "a whole number from 1 to 1000000");
            }
        } else if (argv[i][0] == '-') {
            return usage_error("bench", "unknown option", argv[i], "one that ecp bench --help lists");
        } else {
            a->files = &argv[i];
            a->file_count = argc - i;
            break;
        }
    }
    for (int i = 0; i < a->file_count; i++) {
        if (a->files[i][0] == '-') {
            return usage_error("bench", "an option after the files", a->files[i], "options first");
        }
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// measuring

static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// steps done; fewer than asked for when one was refused
static long run_once(const scene_data *scene, ecp_world *world)
{
    long k = 0;
    while (k < (long)scene->steps && scene_step(scene, world, (uint32_t)k, NULL) >= 0) {
        k++;
    }
    return k;
}

static int percentile(const long *histogram, long steps, double fraction)
{
    long sum = 0;
    for (int i = 0; i < ECP_MAX_ITERATIONS; i++) {
        sum += histogram[i];
        if ((double)sum >= fraction * (double)steps) {
            return i;
        }
    }
    return ECP_MAX_ITERATIONS;
}

// an untimed run for what the reports say
static bool observe(figures *f, const scene_data *scene, ecp_world *world)
{
    long histogram[ECP_MAX_ITERATIONS + 1] = { 0 };
    static ecp_report report;
    for (uint32_t k = 0; k < scene->steps; k++) {
        if (scene_step(scene, world, k, &report) < 0) {
            fprintf(stderr, "ecp bench: %s, step %lu: %s; expected a step that is not refused\n", f->scene,
                    (unsigned long)k, ecp_error(world));
            return false;
        }
        histogram[report.iterations]++;
        f->degraded += report.status == ECP_DEGRADED;
        f->depth = -(double)report.gap_min > f->depth ? -(double)report.gap_min : f->depth;
    }
    f->steps = (long)scene->steps;
    f->iterations_median = percentile(histogram, f->steps, 0.5);
    f->iterations_p99 = percentile(histogram, f->steps, 0.99);
    f->iterations_max = percentile(histogram, f->steps, 1.0);
    return true;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool measure(figures *f, const scene_data *scene, const ecp_world *start, long repeats)
{
    ecp_world *world = malloc(sizeof *world);
    double *us = malloc((size_t)repeats * sizeof *us);
    if (!world || !us) {
        abort();
    }
    *world = *start;
    const bool ok = scene->steps > 0 && observe(f, scene, world);
    for (long r = 0; r < repeats && ok; r++) {
        *world = *start;
        const double begin = now_us();
        const long steps = run_once(scene, world);
        us[r] = (now_us() - begin) / (double)steps;
    }
    if (ok) {
        qsort(us, (size_t)repeats, sizeof *us, by_size);
        f->us_least = us[0];
        f->us_median = us[repeats / 2];
    }
    free(us);
    free(world);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// output

static void print_head(void)
{
    printf("%-16s %6s %10s %10s %12s %8s %6s %6s %9s %12s\n", "scene", "steps", "us/step", "us/step", "steps/s",
           "iter.", "iter.", "iter.", "degraded", "penetration");
    printf("%-16s %6s %10s %10s %12s %8s %6s %6s %9s %12s\n", "", "", "least", "median", "", "median", "99 %", "max",
           "steps", "worst, m");
}

static void print_row(const figures *f, arguments *a)
{
    if (!a->json) {
        if (!a->headed) {
            print_head();
            a->headed = true;
        }
        printf("%-16s %6ld %10.3f %10.3f %12.0f %8d %6d %6d %9ld %12.1e\n", f->scene, f->steps, f->us_least,
               f->us_median, 1e6 / f->us_median, f->iterations_median, f->iterations_p99, f->iterations_max,
               f->degraded, f->depth);
        return;
    }
    fputs("{\"scene\": ", stdout);
    json_string(stdout, f->scene);
    printf(", \"steps\": %ld, \"us_per_step_min\": %.4g, \"us_per_step_median\": %.4g, \"iterations_median\": %d, "
           "\"iterations_p99\": %d, \"iterations_max\": %d, \"degraded\": %ld, \"penetration_m\": %.3g}\n",
           f->steps, f->us_least, f->us_median, f->iterations_median, f->iterations_p99, f->iterations_max,
           f->degraded, f->depth);
}

static int bench_world(const char *name, const scenario *s, const ecp_world *world, arguments *a)
{
    figures f = { .scene = name };
    if (!measure(&f, &s->scene, world, a->repeats)) {
        return EXIT_FAILED;
    }
    print_row(&f, a);
    return EXIT_DONE;
}

static int bench_text(const char *name, const char *text, size_t length, arguments *a)
{
    scenario s;
    fault why;
    ecp_world *world = malloc(sizeof *world);
    if (!world) {
        abort();
    }
    // a scene larger than the limits of this profile is left out, and said so
    int status = EXIT_DONE;
    const bool read = scenario_parse(&s, text, length, &why);
    if (read && scenario_build(&s, world, &why)) {
        status = bench_world(name, &s, world, a);
    } else {
        fprintf(stderr, "ecp bench: %s is left out: %s\n", name, why.text);
    }
    if (read) {
        scenario_free(&s);
    }
    free(world);
    return status;
}

// n unit boxes at rest on a table, two metres apart
static int bench_boxes(int n, arguments *a)
{
    char name[32];
    const size_t room = 400u + (size_t)n * 300u;
    char *text = malloc(room);
    if (!text) {
        abort();
    }
    int used = snprintf(text, room,
                        "h = 0.01\nduration = 1\ngravity = [0, 0, -9.8]\n[[body]]\nname = \"table\"\nkind = \"fixed\"\n"
                        "shape = \"halfspace\"\nnormal = [0, 0, 1]\n");
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, room - (size_t)used,
                         "[[body]]\nname = \"b%d\"\nkind = \"dynamic\"\nshape = \"box\"\nsize = [1, 1, 1]\nmass = 1\n"
                         "position = [%d, 0, 0.5]\n[[contact]]\nbodies = [\"b%d\", \"table\"]\nmu = 0.5\ne = [1, 1, 0.3]\n",
                         i, 2 * i, i);
    }
    (void)snprintf(name, sizeof name, "boxes_apart_%d", n);
    const int status = bench_text(name, text, (size_t)used, a);
    free(text);
    return status;
}

static int bench_builtin(arguments *a)
{
    int status = EXIT_DONE;
    for (const embedded_file *f = builtin_scenarios; f->name; f++) {
        status |= bench_text(f->name, (const char *)f->text, f->size, a);
    }
    const int room = ECP_MAX_BODIES - 1 < ECP_MAX_CONTACTS ? ECP_MAX_BODIES - 1 : ECP_MAX_CONTACTS;
    const int most = room < ECP_MAX_MOVING ? room : ECP_MAX_MOVING;
    for (int n = 1; n < most; n *= 2) {
        status |= bench_boxes(n, a);
    }
    return status | bench_boxes(most, a);
}

int cmd_bench(int argc, char **argv)
{
    arguments a;
    int status = parse(&a, argc, argv);
    if (status != EXIT_DONE || a.help) {
        if (a.help) {
            fputs(usage, stdout);
        }
        return status;
    }
    for (int i = 0; i < a.file_count; i++) {
        scenario s;
        ecp_world *world;
        if (!open_scenario(&s, &world, a.files[i])) {
            return EXIT_USAGE;
        }
        status |= bench_world(a.files[i], &s, world, &a);
        close_scenario(&s, world);
    }
    return a.file_count ? status : bench_builtin(&a);
}
