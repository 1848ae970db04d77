#include "csv.h"

#include <errno.h>
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

static char *join(const char *head, const char *tail)
{
    const size_t n = strlen(head), m = strlen(tail);
    char *text = take(n + m + 2u, 1u);
    memcpy(text, head, n);
    if (n) {
        text[n] = '.';
    }
    memcpy(text + n + (n ? 1u : 0u), tail, m + 1u);
    return text;
}

// ---------------------------------------------------------------------------------------------
// columns

typedef struct column_spec {
    const char *name;
    csv_group group;
} column_spec;

static const column_spec head[] = {
    { "t", CSV_TIME },          { "status", CSV_COUNT }, { "iterations", CSV_COUNT },
    { "residual", CSV_SOLVER }, { "gap_min", CSV_GAP },  { "energy", CSV_ENERGY },
};
static const column_spec of_body[] = {
    { "px", CSV_POSE },     { "py", CSV_POSE },     { "pz", CSV_POSE },     { "qw", CSV_POSE },
    { "qx", CSV_POSE },     { "qy", CSV_POSE },     { "qz", CSV_POSE },     { "vx", CSV_VELOCITY },
    { "vy", CSV_VELOCITY }, { "vz", CSV_VELOCITY }, { "wx", CSV_VELOCITY }, { "wy", CSV_VELOCITY },
    { "wz", CSV_VELOCITY },
};
static const column_spec of_contact[] = {
    { "mode", CSV_COUNT },      { "patch", CSV_COUNT }, { "ax", CSV_ECP },
    { "ay", CSV_ECP },          { "az", CSV_ECP },      { "nx", CSV_ECP },
    { "ny", CSV_ECP },          { "nz", CSV_ECP },      { "tx", CSV_ECP },
    { "ty", CSV_ECP },          { "tz", CSV_ECP },      { "gap", CSV_GAP },
    { "pn", CSV_IMPULSE },      { "pt", CSV_IMPULSE },  { "po", CSV_IMPULSE },
    { "pr", CSV_IMPULSE },      { "sigma", CSV_SLIP },  { "edge", CSV_ECP },
    { "reserve", CSV_IMPULSE },
};
#define HEAD        (sizeof head / sizeof *head)
#define PER_BODY    (sizeof of_body / sizeof *of_body)
#define PER_CONTACT (sizeof of_contact / sizeof *of_contact)

static void add_columns(csv_layout *layout, const char *owner, int contact,
                        const column_spec *specs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        layout->columns[layout->count++] =
            (csv_column){ join(owner, specs[i].name), specs[i].group, contact };
    }
}

void csv_layout_make(csv_layout *layout, const scenario *s)
{
    const size_t most =
        HEAD + PER_BODY * (size_t)s->body_count + PER_CONTACT * (size_t)s->contact_count;
    *layout = (csv_layout){ 0, take(most, sizeof *layout->columns) };
    add_columns(layout, "", -1, head, HEAD);
    for (int i = 0; i < s->body_count; i++) {
        if (s->bodies[i].def.kind == ECP_DYNAMIC) {
            add_columns(layout, s->bodies[i].name, -1, of_body, PER_BODY);
        }
    }
    for (int k = 0; k < s->contact_count; k++) {
        char owner[16];
        (void)snprintf(owner, sizeof owner, "c%d", k);
        add_columns(layout, owner, k, of_contact, PER_CONTACT);
    }
}

void csv_layout_free(csv_layout *layout)
{
    for (int i = 0; i < layout->count; i++) {
        free(layout->columns[i].name);
    }
    free(layout->columns);
    *layout = (csv_layout){ 0 };
}

// ---------------------------------------------------------------------------------------------
// values

static double *put(double *to, const ecp_real *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *to++ = (double)from[i];
    }
    return to;
}

static double *put_body(double *to, const ecp_state *state)
{
    const ecp_vec3 p = state->position, v = state->velocity, w = state->angular_velocity;
    const ecp_quat q = state->orientation;
    const ecp_real values[PER_BODY] = { p.x, p.y, p.z, q.w, q.x, q.y, q.z,
                                        v.x, v.y, v.z, w.x, w.y, w.z };
    return put(to, values, PER_BODY);
}

static double *put_contact(double *to, const ecp_contact_report *c, bool initial)
{
    const ecp_real place[] = { c->a.x, c->a.y, c->a.z, c->n.x, c->n.y,
                               c->n.z, c->t.x, c->t.y, c->t.z, c->gap };
    const ecp_real load[] = { c->pn, c->pt, c->po, c->pr, c->sigma, c->edge, c->reserve };
    const ecp_real none[sizeof load / sizeof *load] = { 0 };
    *to++ = initial ? 0.0 : (double)c->mode;
    *to++ = initial ? 0.0 : (double)c->patch;
    to = put(to, place, sizeof place / sizeof *place);
    return put(to, initial ? none : load, sizeof load / sizeof *load);
}

void csv_values(double *values, const scenario *s, const ecp_world *world, const ecp_report *report,
                long k, bool initial)
{
    double *to = values;
    *to++ = (double)k * s->h;
    *to++ = initial ? 0.0 : (double)report->status;
    *to++ = initial ? 0.0 : (double)report->iterations;
    *to++ = initial ? 0.0 : (double)report->residual;
    *to++ = (double)report->gap_min;
    *to++ = (double)ecp_energy(world);
    for (int i = 0; i < s->body_count; i++) {
        ecp_state state = { .position = { 0, 0, 0 } };
        if (s->bodies[i].def.kind == ECP_DYNAMIC) {
            (void)ecp_get_state(world, i, &state);
            to = put_body(to, &state);
        }
    }
    for (int c = 0; c < s->contact_count; c++) {
        to = put_contact(to, &report->contact[c], initial);
    }
}

void csv_print_header(FILE *out, const csv_layout *layout)
{
    for (int i = 0; i < layout->count; i++) {
        fprintf(out, "%s%s", i ? "," : "", layout->columns[i].name);
    }
    fputc('\n', out);
}

void csv_print_row(FILE *out, const csv_layout *layout, const double *values)
{
    const int real_digits = ECP_REAL_BITS == 32 ? 9 : 17;
    for (int i = 0; i < layout->count; i++) {
        const csv_group group = layout->columns[i].group;
        if (group == CSV_COUNT) {
            fprintf(out, "%s%d", i ? "," : "", (int)values[i]);
        } else {
            fprintf(out, "%s%.*g", i ? "," : "", group == CSV_TIME ? 17 : real_digits, values[i]);
        }
    }
    fputc('\n', out);
}

// ---------------------------------------------------------------------------------------------
// reading

static bool read_line(FILE *in, char **line, size_t *room)
{
    size_t n = 0;
    int c;
    while ((c = getc(in)) != EOF && c != '\n') {
        if (n + 2u > *room) {
            *room = *room ? 2u * *room : 4096u;
            char *more = realloc(*line, *room);
            if (!more) {
                abort();
            }
            *line = more;
        }
        if (c != '\r') {
            (*line)[n++] = (char)c;
        }
    }
    if (*room == 0u) {
        *line = take(*room = 16u, 1u);
    }
    (*line)[n] = '\0';
    return n > 0u || c != EOF;
}

static void read_names(csv_table *table, char *line)
{
    size_t most = 1;
    for (const char *c = line; *c; c++) {
        most += *c == ',';
    }
    table->names = take(most, sizeof *table->names);
    for (char *name = line; name;) {
        char *comma = strchr(name, ',');
        if (comma) {
            *comma = '\0';
        }
        table->names[table->count++] = join("", name);
        name = comma ? comma + 1 : NULL;
    }
}

static bool read_row(csv_table *table, const char *line, int number, fault *why)
{
    double *row = &table->cells[(size_t)table->rows * (size_t)table->count];
    for (int i = 0; i < table->count; i++) {
        char *end;
        row[i] = strtod(line, &end);
        const char stop = i + 1 < table->count ? ',' : '\0';
        if (end == line || *end != stop) {
            return fault_set(why, number,
                             "column %d of the row is no number or the row has the wrong length; "
                             "expected %d numbers",
                             i + 1, table->count);
        }
        line = end + (stop == ',');
    }
    table->rows++;
    return true;
}

static bool read_rows(csv_table *table, FILE *in, char **line, size_t *room, fault *why)
{
    long capacity = 0;
    for (int number = 2; read_line(in, line, room); number++) {
        if (table->rows == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            double *more =
                realloc(table->cells, (size_t)capacity * (size_t)table->count * sizeof *more);
            if (!more) {
                abort();
            }
            table->cells = more;
        }
        if (!read_row(table, *line, number, why)) {
            return false;
        }
    }
    return true;
}

bool csv_read(csv_table *table, const char *file, fault *why)
{
    *table = (csv_table){ 0 };
    FILE *in = fopen(file, "rb");
    if (!in) {
        return fault_set(why, 1, "the file cannot be opened (%s); expected a CSV file",
                         strerror(errno));
    }
    char *line = NULL;
    size_t room = 0;
    bool ok = read_line(in, &line, &room) && line[0];
    if (!ok) {
        fault_set(why, 1, "the file is empty; expected a CSV file with a header line");
    } else {
        read_names(table, line);
        ok = read_rows(table, in, &line, &room, why);
    }
    free(line);
    fclose(in);
    if (!ok) {
        csv_free(table);
    }
    return ok;
}

void csv_free(csv_table *table)
{
    for (int i = 0; i < table->count; i++) {
        free(table->names[i]);
    }
    free(table->names);
    free(table->cells);
    *table = (csv_table){ 0 };
}
