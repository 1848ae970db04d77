// The data of a page: what stands still as JSON numbers, what changes as packed columns.
//
// A column is {"n": name, "c": value} if it never changes, {"n", "u": base64} of bytes if it holds
// whole numbers below 256, otherwise {"n", "b": first value, "f": base64} of little-endian floats
// that are added to the first value: small changes of a large number keep their digits. In worlds of
// many bodies, {"n", "l": low, "s": step, "w": base64} of 16-bit numbers keeps the page small.
#include "compare.h"
#include "json.h"
#include "mesh.h"
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
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

// ---------------------------------------------------------------------------------------------
// columns

static void put_base64(FILE *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3u) {
        const unsigned second = i + 1u < count ? bytes[i + 1u] : 0u;
        const unsigned third = i + 2u < count ? bytes[i + 2u] : 0u;
        const unsigned word = (unsigned)bytes[i] << 16 | second << 8 | third;
        fputc(digits[word >> 18], out);
        fputc(digits[word >> 12 & 63u], out);
        fputc(i + 1u < count ? digits[word >> 6 & 63u] : '=', out);
        fputc(i + 2u < count ? digits[word & 63u] : '=', out);
    }
}

static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static void put_floats(FILE *out, const double *values, long rows)
{
    // not a number where there is no value: as float, never as JSON
    double base = 0.0;
    for (long k = 0; k < rows; k++) {
        if (isfinite(values[k])) {
            base = values[k];
            break;
        }
    }
    unsigned char *bytes = take((size_t)rows, 4u);
    for (long k = 0; k < rows; k++) {
        const float f = (float)(values[k] - base);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        for (int i = 0; i < 4; i++) {
            bytes[4 * k + i] = (unsigned char)(bits >> 8 * i);
        }
    }
    fprintf(out, "\"b\":%.17g,\"f\":\"", base);
    put_base64(out, bytes, 4u * (size_t)rows);
    fputc('"', out);
    free(bytes);
}

// low + step i, i from 0 to 65535; all values finite
static void put_words(FILE *out, const double *values, long rows)
{
    double low = values[0], high = values[0];
    for (long k = 0; k < rows; k++) {
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    const double step = (high - low) / 65535.0;
    unsigned char *bytes = take((size_t)rows, 2u);
    for (long k = 0; k < rows; k++) {
        const unsigned i = (unsigned)fmin(65535.0, fmax(0.0, floor((values[k] - low) / step + 0.5)));
        bytes[2 * k] = (unsigned char)(i & 255u);
        bytes[2 * k + 1] = (unsigned char)(i >> 8);
    }
    fprintf(out, "\"l\":%.17g,\"s\":%.17g,\"w\":\"", low, step);
    put_base64(out, bytes, 2u * (size_t)rows);
    fputc('"', out);
    free(bytes);
}

static void put_bytes(FILE *out, const double *values, long rows)
{
    unsigned char *bytes = take((size_t)rows, 1u);
    for (long k = 0; k < rows; k++) {
        bytes[k] = (unsigned char)values[k];
    }
    fputs("\"u\":\"", out);
    put_base64(out, bytes, (size_t)rows);
    fputc('"', out);
    free(bytes);
}

typedef enum column_kind { COLUMN_CONSTANT, COLUMN_BYTES, COLUMN_REAL, COLUMN_BROKEN } column_kind;

static column_kind kind_of(const double *values, long rows)
{
    bool constant = true, whole = true, finite = true;
    for (long k = 0; k < rows; k++) {
        finite = finite && isfinite(values[k]);
        constant = constant && same(values[k], values[0]);
        whole = whole && values[k] >= 0.0 && values[k] < 256.0 && same(floor(values[k]), values[k]);
    }
    return !finite ? COLUMN_BROKEN : constant ? COLUMN_CONSTANT : whole ? COLUMN_BYTES : COLUMN_REAL;
}

static void put_column(FILE *out, const char *name, const double *values, long rows, bool first,
                       bool small)
{
    const column_kind kind = kind_of(values, rows);
    fprintf(out, "%s{\"n\":", first ? "" : ",\n");
    json_string(out, name);
    fputc(',', out);
    if (kind == COLUMN_CONSTANT) {
        fprintf(out, "\"c\":%.17g", values[0]);
    } else if (kind == COLUMN_BYTES) {
        put_bytes(out, values, rows);
    } else if (kind == COLUMN_REAL && small) {
        put_words(out, values, rows);
    } else {
        put_floats(out, values, rows);
    }
    fputc('}', out);
}

// what a page spends on columns at most, per row; a float takes 5.3 characters
#define CHARACTERS_PER_ROW 2400.0

static void get_column(double *values, const trace *t, int column)
{
    for (long k = 0; k < t->rows; k++) {
        values[k] = trace_at(t, k, column);
    }
}

static void put_run(FILE *out, const trace *t)
{
    double *values = take((size_t)t->rows, sizeof *values);
    const int count = t->rows > 0 ? t->count : 0;
    int reals = 0;
    for (int i = 0; i < count; i++) {
        get_column(values, t, i);
        reals += kind_of(values, t->rows) == COLUMN_REAL;
    }
    fputs("\"columns\":[", out);
    for (int i = 0; i < count; i++) {
        get_column(values, t, i);
        put_column(out, t->names[i], values, t->rows, i == 0, 16.0 / 3.0 * reals > CHARACTERS_PER_ROW);
    }
    fputs("]", out);
    free(values);
}

// the second trajectory at the times of the run
static void put_other(FILE *out, const report_source *source)
{
    const trace *t = source->run;
    const csv_table *other = source->other;
    csv_layout none = { 0 };
    comparison c;
    fault ignored;
    if (!comparison_start(&c, other, &none, source->s->h, &ignored)) {
        return;
    }
    double *cells = take((size_t)t->rows * (size_t)other->count, sizeof *cells);
    for (long k = 0; k < t->rows; k++) {
        bool between;
        const bool there = comparison_at(&c, trace_at(t, k, 0), &between);
        for (int i = 0; i < other->count; i++) {
            cells[(long)i * t->rows + k] = there ? c.there[i] : (double)NAN;
        }
    }
    fputs(",\n\"other\":{\"name\":", out);
    json_string(out, source->other_name);
    fputs(",\"columns\":[", out);
    for (int i = 0; i < other->count && t->rows > 0; i++) {
        put_column(out, other->names[i], &cells[(long)i * t->rows], t->rows, i == 0, false);
    }
    fputs("]}", out);
    free(cells);
    comparison_end(&c);
}

// ---------------------------------------------------------------------------------------------
// bodies and contacts

static void put_vec3(FILE *out, const char *name, ecp_vec3 v)
{
    fprintf(out, ",\"%s\":[%.9g,%.9g,%.9g]", name, (double)v.x, (double)v.y, (double)v.z);
}

static void put_mesh(FILE *out, const ecp_shape *shape)
{
    mesh m;
    mesh_make(&m, shape);
    fputs("{\"vertices\":[", out);
    for (int i = 0; i < m.vertex_count; i++) {
        const vec v = m.vertices[i];
        fprintf(out, "%s%.6g,%.6g,%.6g", i ? "," : "", v.x, v.y, v.z);
    }
    fputs("],\"faces\":[", out);
    for (int f = 0; f < m.face_count; f++) {
        fputs(f ? ",[" : "[", out);
        for (int i = m.first[f]; i < m.first[f + 1]; i++) {
            fprintf(out, "%s%d", i > m.first[f] ? "," : "", m.index[i]);
        }
        fputs("]", out);
    }
    fputs("],\"features\":[", out);
    bool first = true;
    for (int i = 0; i < m.edge_count; i++) {
        if (m.edges[i].feature) {
            fprintf(out, "%s%d,%d", first ? "" : ",", m.edges[i].a, m.edges[i].b);
            first = false;
        }
    }
    fputs("]}", out);
    mesh_free(&m);
}

static bool same_shape(const ecp_shape *a, const ecp_shape *b)
{
    const size_t n = (size_t)a->vertex_count * sizeof *a->vertices;
    return a->kind == b->kind && a->vertex_count == b->vertex_count &&
           memcmp(&a->size, &b->size, sizeof a->size) == 0 &&
           (n == 0u || memcmp(a->vertices, b->vertices, n) == 0);
}

// bodies of one shape share a mesh: that of the first
static int first_alike(const scenario *s, int body)
{
    int i = 0;
    while (!same_shape(&s->bodies[i].shape, &s->bodies[body].shape)) {
        i++;
    }
    return i;
}

static void put_meshes(FILE *out, const scenario *s)
{
    fputs("\"meshes\":[", out);
    for (int i = 0; i < s->body_count; i++) {
        const ecp_shape *shape = &s->bodies[i].shape;
        fputs(i ? ",\n" : "", out);
        if (shape->kind != ECP_SHAPE_HALFSPACE && first_alike(s, i) == i) {
            put_mesh(out, shape);
        } else {
            fputs("null", out);
        }
    }
    fputs("],\n", out);
}

static const char *shape_name(ecp_shape_kind kind)
{
    static const char *const names[] = { "none",     "halfspace", "box",     "ellipsoid",
                                         "cylinder", "cone",      "polytope" };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : names[0];
}

// a body has parts, each with a place in its frame
static void put_part(FILE *out, const ecp_shape *shape, int mesh_number)
{
    fprintf(out, "{\"shape\":\"%s\",\"position\":[0,0,0],\"orientation\":[1,0,0,0]",
            shape_name(shape->kind));
    put_vec3(out, "size", shape->size);
    fprintf(out, ",\"offset\":%.9g,\"mesh\":%d}", (double)shape->offset, mesh_number);
}

static void put_bodies(FILE *out, const scenario *s)
{
    static const char *const kinds[] = { "", "fixed", "kinematic", "dynamic" };
    put_meshes(out, s);
    fputs("\"bodies\":[", out);
    for (int i = 0; i < s->body_count; i++) {
        const scenario_body *body = &s->bodies[i];
        const ecp_quat q = body->def.state.orientation;
        fprintf(out, "%s{\"name\":", i ? ",\n" : "");
        json_string(out, body->name);
        fprintf(out, ",\"kind\":\"%s\",\"mass\":%.9g", kinds[body->def.kind], (double)body->def.mass);
        put_vec3(out, "position", body->def.state.position);
        fprintf(out, ",\"orientation\":[%.9g,%.9g,%.9g,%.9g],\"parts\":[", (double)q.w, (double)q.x,
                (double)q.y, (double)q.z);
        put_part(out, &body->shape, first_alike(s, i));
        fputs("]}", out);
    }
    fputs("],\n\"contacts\":[", out);
    for (int k = 0; k < s->contact_count; k++) {
        const ecp_contact_def *c = &s->contacts[k].def;
        fprintf(out, "%s{\"a\":%d,\"b\":%d,\"mu\":%.9g,\"e\":[%.9g,%.9g,%.9g]}", k ? "," : "", c->a,
                c->b, (double)c->mu, (double)c->e[0], (double)c->e[1], (double)c->e[2]);
    }
    fputs("]", out);
}

// ---------------------------------------------------------------------------------------------

static void put_file(FILE *out, const char *file)
{
    FILE *in = fopen(file, "rb");
    size_t length = 0, room = 1u << 16;
    char *text = take(room, 1u);
    while (in && !feof(in) && !ferror(in) && length < (4u << 20)) {
        if (length == room) {
            char *more = realloc(text, room *= 2u);
            if (!more) {
                abort();
            }
            text = more;
        }
        length += fread(text + length, 1u, room - length, in);
    }
    json_text(out, text, length);
    free(text);
    if (in) {
        fclose(in);
    }
}

static void put_summary(FILE *out, const report_source *source)
{
    const run_result *r = source->result;
    fprintf(out, "\"summary\":{\"steps\":%ld,\"ok\":%ld,\"substepped\":%ld,\"degraded\":%ld", r->steps,
            r->ok, r->substepped, r->degraded);
    fprintf(out, ",\"iterations_median\":%d,\"iterations_max\":%d", r->iterations_median,
            r->iterations_max);
    fprintf(out, ",\"gap_min\":%.9g,\"residual_max\":%.9g,\"us_per_step\":%.9g", r->worst_gap,
            r->worst_residual, r->steps ? 1e6 * r->seconds / (double)r->steps : 0.0);
    fprintf(out, ",\"status\":\"%s\",\"error\":", ecp_status_name(r->status));
    json_string(out, r->error);
    fprintf(out, ",\"hash\":\"%016" PRIx64 "\"}", r->hash);
}

void report_data(FILE *out, const report_source *source)
{
    const scenario *s = source->s;
    fputs("{\"title\":", out);
    json_string(out, report_title(source));
    fputs(",\"file\":", out);
    json_string(out, source->file);
    fprintf(out, ",\"version\":\"%s\",\"profile\":\"%s\",\"bits\":%d", ecp_version(), ECP_PROFILE_NAME,
            ECP_REAL_BITS);
    fprintf(out, ",\"h\":%.17g,\"stride\":%ld,\"rows\":%ld", s->h, source->run->stride,
            source->run->rows);
    put_vec3(out, "gravity", s->settings.gravity);
    fputs(",\n", out);
    put_summary(out, source);
    fputs(",\n", out);
    put_bodies(out, s);
    fputs(",\n", out);
    put_run(out, source->run);
    if (source->other) {
        put_other(out, source);
    }
    fputs(",\n\"scenario\":", out);
    put_file(out, source->file);
    fputs("}", out);
}
