// compare.h - a run against another trajectory: another engine, a measurement, a reference.
//
// The other file needs a column t and whatever columns it has; rows are matched by time, between
// its rows its values are interpolated.
#ifndef ECP_TOOL_COMPARE_H
#define ECP_TOOL_COMPARE_H

#include "csv.h"

/// The largest difference of a group of columns.
typedef struct comparison_worst {
    double difference, at; ///< at: time, s
    double here, there;
    const char *column; ///< name in the other table; NULL: nothing of that group differed
} comparison_worst;

typedef struct comparison {
    const csv_table *other;
    int time;      ///< its column t
    double period; ///< step of the run, s: times closer than 1e-6 of it are equal
    long near;     ///< row of other to search from
    int *match;    ///< column of other for every column of the run, or -1
    int columns;   ///< that both have, t left out
    long rows;     ///< of the run that the other one covers
    long missed;   ///< and does not cover
    long between;  ///< of rows, those that had to be interpolated
    double *there; ///< a row of other, in its columns
    comparison_worst worst[CSV_GROUPS];
} comparison;

/// False: other has no column t, its times do not increase, or no column is one of the run (asked
/// only if the layout has any).
bool comparison_start(comparison *c, const csv_table *other, const csv_layout *layout, double period,
                      fault *why);
/// Compare one row of the run.
void comparison_row(comparison *c, const csv_layout *layout, const double *here);
/// Other at time t into c->there; false where it does not reach.
bool comparison_at(comparison *c, double t, bool *between);
void comparison_end(comparison *c);

#endif
