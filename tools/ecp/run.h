// run.h - runs a scenario step by step and keeps the figures of the run.
#ifndef ECP_TOOL_RUN_H
#define ECP_TOOL_RUN_H

#include "compare.h"

#include <stdint.h>

typedef struct run_options {
    FILE *csv;                  ///< NULL: none
    long steps;                 ///< < 0: as the scenario says
    bool progress;              ///< percentage, rate and remaining time on stderr
    comparison *comparison;     ///< started; NULL: none
    /// Called for row 0 and after every step, with the columns of the CSV; NULL: none.
    void (*watch)(void *context, const scenario *s, const ecp_world *world,
                  const ecp_report *report, const double *csv, long k);
    void *context;
} run_options;

typedef struct run_result {
    long steps; ///< done
    long ok, substepped, degraded;
    int iterations_median, iterations_max;
    double worst_gap; ///< least gap of the run, row 0 left out; > 0: never touched
    double worst_residual, final_residual;
    double seconds; ///< inside ecp_step
    uint64_t hash;
    ecp_status status; ///< of the step that ended the run early, or ECP_OK
    char error[160];   ///< its text
} run_result;

/// Run in the given world, freshly built. False if a step or a load was refused.
bool run_scenario(run_result *result, const scenario *s, ecp_world *world,
                  const run_options *options);

#endif
