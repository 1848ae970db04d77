#include "run.h"

#include "hash.h"
#include "loads.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>

typedef struct recorder {
    const scenario *s;
    const ecp_world *world;
    const run_options *options;
    csv_layout layout;
    double *values;
} recorder;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

// ---------------------------------------------------------------------------------------------
// rows

// false, and no row, when a number of the row is not finite
static bool record(const recorder *rec, const ecp_report *report, long k)
{
    const run_options *o = rec->options;
    csv_values(rec->values, rec->s, rec->world, report, k, k == 0);
    for (int i = 0; i < rec->layout.count; i++) {
        if (!isfinite(rec->values[i])) {
            return false;
        }
    }
    if (o->csv) {
        csv_print_row(o->csv, &rec->layout, rec->values);
    }
    if (o->comparison) {
        comparison_row(o->comparison, &rec->layout, rec->values);
    }
    if (o->watch) {
        o->watch(o->context, rec->s, rec->world, report, rec->values, k);
    }
    return true;
}

static void recorder_start(recorder *rec)
{
    csv_layout_make(&rec->layout, rec->s);
    rec->values = take((size_t)rec->layout.count, sizeof *rec->values);
    if (rec->options->csv) {
        csv_print_header(rec->options->csv, &rec->layout);
    }
}

static void recorder_end(recorder *rec)
{
    csv_layout_free(&rec->layout);
    free(rec->values);
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

static ecp_status one_step(run_result *r, const scenario *s, ecp_world *world, ecp_report *report,
                           long k)
{
    const ecp_status loaded = loads_apply(s, world, k);
    if (loaded < 0) {
        return loaded;
    }
    const double start = progress_now();
    const ecp_status status = ecp_step(world, (ecp_real)s->h, report);
    r->seconds += progress_now() - start;
    return status;
}

static bool fail(run_result *r, ecp_status status, const char *text)
{
    r->status = status;
    (void)snprintf(r->error, sizeof r->error, "%s", text);
    return false;
}

static bool step_all(recorder *rec, run_result *r, ecp_world *world, ecp_report *report,
                     long *histogram)
{
    const long steps = rec->options->steps < 0 ? rec->s->steps : rec->options->steps;
    progress p = progress_start(rec->options->progress, "step");
    const char *text = "numbers too large to print";
    ecp_status status = ecp_observe(world, report);
    if (status < 0) {
        return fail(r, status, ecp_error(world));
    }
    if (!record(rec, report, 0)) {
        return fail(r, ECP_E_STATE, text);
    }
    for (long k = 0; k < steps; k++) {
        status = one_step(r, rec->s, world, report, k);
        if (status < 0) {
            text = ecp_error(world);
            break;
        }
        if (!record(rec, report, k + 1)) {
            status = ECP_E_STATE;
            break;
        }
        count_step(r, report);
        const int n = report->iterations;
        histogram[n < 0 ? 0 : n > ECP_MAX_ITERATIONS ? ECP_MAX_ITERATIONS : n]++;
        r->hash = hash_world(r->hash, &rec->s->scene, world);
        progress_show(&p, k + 1, steps);
    }
    progress_wipe(&p);
    return status >= 0 || fail(r, status, text);
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
