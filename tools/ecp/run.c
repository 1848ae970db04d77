#define _POSIX_C_SOURCE 200809L
#include "run.h"

#include "hash.h"
#include "loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct recorder {
    const scenario *s;
    const ecp_world *world;
    const run_options *options;
    csv_layout layout;
    double *values;
    int *match; // column of the other CSV, or -1
} recorder;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---------------------------------------------------------------------------------------------
// rows

static void match_columns(recorder *rec)
{
    run_comparison *c = rec->options->comparison;
    for (int i = 0; i < rec->layout.count; i++) {
        rec->match[i] = -1;
        for (int k = 0; c && k < c->other->count; k++) {
            if (strcmp(rec->layout.columns[i].name, c->other->names[k]) == 0) {
                rec->match[i] = k;
                c->columns++;
                break;
            }
        }
    }
}

// nine digits of a float read as double are not yet that float
static double as_printed(const csv_column *column, double cell)
{
    return column->group == CSV_TIME ? cell : (double)(ecp_real)cell;
}

static void compare_row(const recorder *rec, long k)
{
    run_comparison *c = rec->options->comparison;
    if (k >= c->other->rows) {
        return;
    }
    const double *theirs = &c->other->cells[(size_t)k * (size_t)c->other->count];
    bool open = false;
    c->rows++;
    for (int i = 0; i < rec->layout.count; i++) {
        const csv_column *column = &rec->layout.columns[i];
        if (column->contact >= 0 && strstr(column->name, ".mode")) {
            open = !(rec->values[i] > 0.0);
        }
        // where nothing presses any point of the patch is as good as another
        if (rec->match[i] < 0 || (open && column->contact >= 0 && column->group == CSV_ECP)) {
            continue;
        }
        const double difference = fabs(rec->values[i] - as_printed(column, theirs[rec->match[i]]));
        if (!(difference <= c->largest[column->group])) {
            c->largest[column->group] = isnan(difference) ? (double)INFINITY : difference;
            c->at[column->group] = rec->values[0];
        }
    }
}

static void record(const recorder *rec, const ecp_report *report, long k)
{
    const run_options *o = rec->options;
    if (o->csv || o->comparison) {
        csv_values(rec->values, rec->s, rec->world, report, k, k == 0);
    }
    if (o->csv) {
        csv_print_row(o->csv, &rec->layout, rec->values);
    }
    if (o->comparison) {
        compare_row(rec, k);
    }
    if (o->watch) {
        o->watch(o->context, rec->s, rec->world, k);
    }
}

static void recorder_start(recorder *rec)
{
    csv_layout_make(&rec->layout, rec->s);
    rec->values = take((size_t)rec->layout.count, sizeof *rec->values);
    rec->match = take((size_t)rec->layout.count, sizeof *rec->match);
    match_columns(rec);
    if (rec->options->csv) {
        csv_print_header(rec->options->csv, &rec->layout);
    }
}

static void recorder_end(recorder *rec)
{
    csv_layout_free(&rec->layout);
    free(rec->values);
    free(rec->match);
}

// ---------------------------------------------------------------------------------------------
// figures

static void count_step(run_result *r, const ecp_report *report)
{
    r->ok += report->status == ECP_OK;
    r->substepped += report->status == ECP_SUBSTEPPED;
    r->degraded += report->status == ECP_DEGRADED;
    r->worst_gap = fmin(r->worst_gap, (double)report->gap_min);
    r->worst_residual = fmax(r->worst_residual, (double)report->residual);
    r->final_residual = (double)report->residual;
    r->steps++;
}

static void summarise_iterations(run_result *r, const long *histogram)
{
    long seen = 0;
    for (int i = 0; i <= ECP_MAX_ITERATIONS; i++) {
        if (histogram[i] == 0) {
            continue;
        }
        if (2 * seen < r->steps) {
            r->iterations_median = i;
        }
        seen += histogram[i];
        r->iterations_max = i;
    }
}

static void show_progress(long k, long steps, int *shown)
{
    const int percent = (int)(100.0 * (double)k / (double)steps);
    if (percent != *shown) {
        *shown = percent;
        fprintf(stderr, "\r%3d %%%s", percent, k == steps ? "\r     \r" : "");
    }
}

static ecp_status one_step(run_result *r, const scenario *s, ecp_world *world, ecp_report *report,
                           long k)
{
    const ecp_status loaded = loads_apply(s, world, k);
    if (loaded < 0) {
        return loaded;
    }
    const double start = now();
    const ecp_status status = ecp_step(world, (ecp_real)s->h, report);
    r->seconds += now() - start;
    return status;
}

static bool fail(run_result *r, const ecp_world *world, ecp_status status)
{
    r->status = status;
    (void)snprintf(r->error, sizeof r->error, "%s", ecp_error(world));
    return false;
}

static bool step_all(recorder *rec, run_result *r, ecp_world *world, ecp_report *report,
                     long *histogram)
{
    const long steps = rec->options->steps < 0 ? rec->s->steps : rec->options->steps;
    int shown = -1;
    ecp_status status = ecp_observe(world, report);
    if (status < 0) {
        return fail(r, world, status);
    }
    record(rec, report, 0);
    for (long k = 0; k < steps; k++) {
        status = one_step(r, rec->s, world, report, k);
        if (status < 0) {
            return fail(r, world, status);
        }
        count_step(r, report);
        const int n = report->iterations;
        histogram[n < 0 ? 0 : n > ECP_MAX_ITERATIONS ? ECP_MAX_ITERATIONS : n]++;
        r->hash = hash_world(r->hash, &rec->s->scene, world);
        record(rec, report, k + 1);
        if (rec->options->progress) {
            show_progress(k + 1, steps, &shown);
        }
    }
    return true;
}

bool run_scenario(run_result *result, const scenario *s, ecp_world *world,
                  const run_options *options)
{
    recorder rec = { .s = s, .world = world, .options = options };
    long *histogram = take((size_t)ECP_MAX_ITERATIONS + 1u, sizeof *histogram);
    ecp_report *report = take(1u, sizeof *report);
    *result = (run_result){ .worst_gap = (double)INFINITY, .hash = HASH_START, .status = ECP_OK };
    recorder_start(&rec);
    const bool ok = step_all(&rec, result, world, report, histogram);
    summarise_iterations(result, histogram);
    if (!isfinite(result->worst_gap)) {
        result->worst_gap = 0.0;
    }
    recorder_end(&rec);
    free(report);
    free(histogram);
    return ok;
}
