// csv.h - a trajectory as rows of numbers: columns, values, printing, and reading another file.
#ifndef ECP_TOOL_CSV_H
#define ECP_TOOL_CSV_H

#include "scenario.h"

#include <stdio.h>

/// What a column holds: how it is printed, and with which others it is compared.
typedef enum csv_group {
    CSV_TIME,   ///< t: double in every profile
    CSV_COUNT,  ///< whole numbers: status, iterations, mode, patch
    CSV_SOLVER, ///< residual
    CSV_POSE,
    CSV_VELOCITY,
    CSV_ENERGY,
    CSV_GAP,     ///< gap, gap_min
    CSV_ECP,     ///< a, n, t, edge
    CSV_IMPULSE, ///< pn, pt, po, pr, reserve
    CSV_SLIP,    ///< sigma
    CSV_GROUPS
} csv_group;

typedef struct csv_column {
    char *name;
    csv_group group;
    int contact; ///< -1: of no contact
} csv_column;

typedef struct csv_layout {
    int count;
    csv_column *columns;
} csv_layout;

/// Columns of a scenario, in the order of the contract.
void csv_layout_make(csv_layout *layout, const scenario *s);
void csv_layout_free(csv_layout *layout);

/// Fill values[layout.count] for the state after k steps. initial: the zeros of row 0.
void csv_values(double *values, const scenario *s, const ecp_world *world, const ecp_report *report,
                long k, bool initial);

void csv_print_header(FILE *out, const csv_layout *layout);
/// Reals are printed so that they read back to the same bits.
void csv_print_row(FILE *out, const csv_layout *layout, const double *values);

/// A CSV file in memory: cell (row, column) is cells[row * count + column].
typedef struct csv_table {
    int count; ///< columns
    char **names;
    long rows;
    double *cells;
} csv_table;

bool csv_read(csv_table *table, const char *file, fault *why);
void csv_free(csv_table *table);

#endif
