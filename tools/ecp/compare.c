#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static const double *row_of(const comparison *c, long row)
{
    return &c->other->cells[(size_t)row * (size_t)c->other->count];
}

static int find_column(const csv_table *table, const char *name)
{
    for (int i = 0; i < table->count; i++) {
        if (strcmp(table->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

bool comparison_start(comparison *c, const csv_table *other, const csv_layout *layout, double period,
                      fault *why)
{
    *c = (comparison){ .other = other, .time = find_column(other, "t"), .period = period };
    if (c->time < 0) {
        return fault_set(why, 1, "no column is named t; expected the time of every row");
    }
    for (long k = 1; k < other->rows; k++) {
        if (!(row_of(c, k)[c->time] > row_of(c, k - 1)[c->time])) {
            return fault_set(why, (int)k + 2, "t is not later than in the row before; expected "
                                              "times that increase");
        }
    }
    c->match = take((size_t)layout->count, sizeof *c->match);
    c->there = take((size_t)other->count, sizeof *c->there);
    for (int i = 0; i < layout->count; i++) {
        const csv_column *column = &layout->columns[i];
        c->match[i] = column->group == CSV_TIME ? -1 : find_column(other, column->name);
        c->columns += c->match[i] >= 0;
    }
    if (layout->count && !c->columns) {
        return fault_set(why, 1, "no column has a name of the run; expected some, such as '%.40s'",
                         layout->columns[layout->count > 6 ? 6 : 0].name);
    }
    return true;
}

void comparison_end(comparison *c)
{
    free(c->match);
    free(c->there);
    c->match = NULL;
    c->there = NULL;
}

// ---------------------------------------------------------------------------------------------
// the other trajectory at any time

static bool ends_with(const char *text, const char *tail)
{
    const size_t n = strlen(text), m = strlen(tail);
    return n >= m && strcmp(text + n - m, tail) == 0;
}

// four columns .qw .qx .qy .qz side by side
static bool is_quaternion(const csv_table *table, int i)
{
    return i + 3 < table->count && ends_with(table->names[i], ".qw") &&
           ends_with(table->names[i + 1], ".qx") && ends_with(table->names[i + 2], ".qy") &&
           ends_with(table->names[i + 3], ".qz");
}

static double dot4(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// linear; q and -q are one orientation, so the shorter way, and unit length again
static void interpolate(comparison *c, const double *low, const double *high, double share)
{
    for (int i = 0; i < c->other->count; i++) {
        c->there[i] = low[i] + share * (high[i] - low[i]);
    }
    for (int i = 0; i < c->other->count; i++) {
        if (!is_quaternion(c->other, i)) {
            continue;
        }
        const double sign = dot4(&low[i], &high[i]) < 0.0 ? -1.0 : 1.0;
        for (int k = i; k < i + 4; k++) {
            c->there[k] = low[k] + share * (sign * high[k] - low[k]);
        }
        const double norm = sqrt(dot4(&c->there[i], &c->there[i]));
        for (int k = i; k < i + 4 && norm > 0.0; k++) {
            c->there[k] /= norm;
        }
    }
}

bool comparison_at(comparison *c, double t, bool *between)
{
    const long last = c->other->rows - 1;
    const double slack = 1e-6 * c->period;
    long k = c->near;
    *between = false;
    // first row that is not before t
    while (k > 0 && row_of(c, k - 1)[c->time] >= t - slack) {
        k--;
    }
    while (k <= last && row_of(c, k)[c->time] < t - slack) {
        k++;
    }
    c->near = k > last ? last : k;
    if (k > last) {
        return false;
    }
    const double *high = row_of(c, k);
    if (high[c->time] <= t + slack) {
        memcpy(c->there, high, (size_t)c->other->count * sizeof *high);
        return true;
    }
    if (k == 0) {
        return false;
    }
    const double *low = row_of(c, k - 1);
    *between = true;
    interpolate(c, low, high, (t - low[c->time]) / (high[c->time] - low[c->time]));
    return true;
}

// ---------------------------------------------------------------------------------------------
// differences

// q and -q are one orientation
static void align_quaternions(comparison *c, const csv_layout *layout, const double *here)
{
    for (int i = 0; i + 3 < layout->count; i++) {
        const int m = c->match[i];
        if (m >= 0 && is_quaternion(c->other, m) && dot4(&here[i], &c->there[m]) < 0.0) {
            for (int k = m; k < m + 4; k++) {
                c->there[k] = -c->there[k];
            }
        }
    }
}

void comparison_row(comparison *c, const csv_layout *layout, const double *here)
{
    bool open = false, between;
    if (!comparison_at(c, here[0], &between)) {
        c->missed++;
        return;
    }
    c->rows++;
    c->between += between;
    align_quaternions(c, layout, here);
    for (int i = 0; i < layout->count; i++) {
        const csv_column *column = &layout->columns[i];
        if (column->contact >= 0 && ends_with(column->name, ".mode")) {
            open = !(here[i] > 0.0);
        }
        // where nothing presses any point of the patch is as good as another
        if (c->match[i] < 0 || (open && column->contact >= 0 && column->group == CSV_ECP)) {
            continue;
        }
        // nine digits of a float read as double are not yet that float; t is a double in every profile
        const double cell = c->there[c->match[i]];
        const double there = column->group == CSV_TIME ? cell : (double)(ecp_real)cell;
        const double difference = fabs(here[i] - there);
        comparison_worst *worst = &c->worst[column->group];
        if (!(difference <= worst->difference)) {
            *worst = (comparison_worst){ isnan(difference) ? (double)INFINITY : difference, here[0],
                                         here[i], there, c->other->names[c->match[i]] };
        }
    }
}
