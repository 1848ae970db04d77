// trace.h - a run kept in memory: one row of named columns per step, for pages and pictures.
//
// Memory is bounded: when the rows are full every second one is dropped and from then on only every
// 2nd, 4th, ... step is kept. stride says so.
#ifndef ECP_TOOL_TRACE_H
#define ECP_TOOL_TRACE_H

#include "csv.h"

/// Rows kept at most; runs of up to TRACE_ROWS - 1 steps are kept in full.
#define TRACE_ROWS 4001

typedef struct trace {
    int count;    ///< columns
    char **names; ///< those of the CSV, then cK.facets, then NAME.px .. NAME.qz of kinematic bodies
                  ///< and NAME.fx .. NAME.tz, the loads (impulses divided by h) of dynamic ones
    int csv_count;
    long rows, stride;
    long steps; ///< number of the last step offered
    ecp_state *before; ///< of every body, at the last step offered
    double *cells;
} trace;

void trace_start(trace *t, const scenario *s);
/// Offer the state after k steps, in order of k; csv holds the columns of the CSV.
void trace_offer(trace *t, const scenario *s, const ecp_world *world, const ecp_report *report,
                 const double *csv, long k);
void trace_free(trace *t);

/// Column of that name, or -1.
int trace_column(const trace *t, const char *name);
/// Column NAME.tail, or -1.
int trace_column_of(const trace *t, const char *name, const char *tail);
static inline double trace_at(const trace *t, long row, int column)
{
    return t->cells[(size_t)row * (size_t)t->count + (size_t)column];
}
/// Pose of a body (place in s) at a row.
ecp_state trace_pose(const trace *t, const scenario *s, int body, long row);

#endif
