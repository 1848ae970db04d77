#include "picture.h"

#include "mesh.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_POSES = 16 };

typedef struct picture {
    FILE *out;
    const scenario *s;
    const trace *t;
    const picture_options *options;
    vec right, above, toward; // the viewer's axes
    double scale, x0, y0;     // px per m, px of the origin
    double radius;            // of the body shown
    int body, contact;        // contact < 0: none
    long last;
    long poses[MAX_POSES];
    int pose_count;
} picture;

typedef struct point2 {
    double x, y;
} point2;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

void picture_style(FILE *out)
{
    fputs(".paper{fill:#fbfcfd}.ground{fill:#eef1f5}.grid{stroke:#cfd6df;stroke-width:1;fill:none}"
          ".f1{fill:#8fa4c7}.f2{fill:#b5c5e0}.f3{fill:#d5e0f2}.shade{fill:#1e283c;opacity:.1}"
          ".edge{stroke:#26344b;stroke-width:1.1;fill:none;stroke-linejoin:round;stroke-linecap:round}"
          ".stick{stroke:#0f8f6f}.slip{stroke:#d9640d}.trail{fill:none;stroke-width:2.2;stroke-linejoin:round}"
          ".mark{fill:none;stroke-width:2.2}.halo{fill:none;stroke:#fff;stroke-width:5;opacity:.85}"
          "@media(prefers-color-scheme:dark){.paper{fill:#141a23}.ground{fill:#1b232e}.grid{stroke:#364354}"
          ".f1{fill:#4d6187}.f2{fill:#6b81aa}.f3{fill:#8aa0c8}.shade{fill:#000;opacity:.3}.edge{stroke:#0d131b}"
          ".stick{stroke:#39c79f}.slip{stroke:#ff9a4d}.halo{stroke:#10151c}}",
          out);
}

// ---------------------------------------------------------------------------------------------
// what is shown

static vec position_at(const picture *p, long row)
{
    return vec_from(trace_pose(p->t, p->s, p->body, row).position);
}

// rows of about equal travel; the last one is always shown
static void choose_poses(picture *p)
{
    const double far = 6.5 * p->radius;
    const vec start = position_at(p, p->options->first);
    double travel = 0.0, done = 0.0;
    p->last = p->options->last < 0 ? p->t->rows - 1 : p->options->last;
    for (long k = p->options->first + 1; k <= p->last; k++) {
        travel += vec_norm(vec_sub(position_at(p, k), position_at(p, k - 1)));
        if (p->options->last < 0 && vec_norm(vec_sub(position_at(p, k), start)) > far) {
            p->last = k;
        }
    }
    const double spacing = p->options->spacing > 0.0 ? p->options->spacing : 1.15;
    const int gaps = (int)fmin(p->options->poses - 1, floor(travel / (spacing * p->radius)));
    p->poses[p->pose_count++] = p->options->first;
    for (long k = p->options->first + 1; k <= p->last && gaps > 0; k++) {
        done += vec_norm(vec_sub(position_at(p, k), position_at(p, k - 1)));
        if (done >= travel / gaps * p->pose_count * (1.0 - 1e-9) && p->pose_count <= gaps) {
            p->poses[p->pose_count++] = k;
        }
    }
    p->poses[p->pose_count - 1] = p->last;
}

static bool choose_body(picture *p)
{
    p->body = -1;
    p->contact = -1;
    for (int i = 0; i < p->s->body_count && p->body < 0; i++) {
        if (p->s->bodies[i].def.kind == ECP_DYNAMIC) {
            p->body = i;
            p->radius = shape_reach(&p->s->bodies[i].shape);
        }
    }
    for (int k = 0; k < p->s->contact_count && p->contact < 0; k++) {
        if (p->s->contacts[k].def.a == p->body || p->s->contacts[k].def.b == p->body) {
            p->contact = k;
        }
    }
    return p->body >= 0 && p->t->rows > 0;
}

// seen from above and aside, gravity downwards, across the way the body goes
static void choose_view(picture *p)
{
    const vec g = vec_from(p->s->settings.gravity);
    const vec up = vec_norm(g) > 0.0 ? vec_scale(-1.0 / vec_norm(g), g) : vec_of(0, 0, 1);
    vec along = vec_sub(position_at(p, p->last), position_at(p, p->options->first));
    along = vec_sub(along, vec_scale(vec_dot(along, up), up));
    if (vec_norm(along) < 0.2 * p->radius) {
        along = vec_cross(up, fabs(up.y) < 0.9 ? vec_of(0, 1, 0) : vec_of(1, 0, 0));
    }
    along = vec_unit(along);
    const vec across = vec_cross(along, up);
    // 28 degrees off the way, 24 degrees above the ground
    const vec flat = vec_add(vec_scale(0.883, across), vec_scale(0.469, along));
    p->toward = vec_add(vec_scale(0.914, flat), vec_scale(0.407, up));
    p->right = vec_unit(vec_cross(up, p->toward));
    p->above = vec_cross(p->toward, p->right);
}

static point2 project(const picture *p, vec a)
{
    return (point2){ p->x0 + p->scale * vec_dot(p->right, a), p->y0 - p->scale * vec_dot(p->above, a) };
}

// everything drawn of the body fits, with a border
static void fit(picture *p)
{
    double low[2] = { 1e300, 1e300 }, high[2] = { -1e300, -1e300 };
    const double r = 1.06 * p->radius;
    for (long k = p->options->first; k <= p->last; k++) {
        const vec x = position_at(p, k);
        const double at[2] = { vec_dot(p->right, x), vec_dot(p->above, x) };
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], at[i] - r);
            high[i] = fmax(high[i], at[i] + r);
        }
    }
    const double w = p->options->width, h = p->options->height;
    p->scale = fmin(0.94 * w / (high[0] - low[0]), 0.94 * h / (high[1] - low[1]));
    p->x0 = w / 2.0 - p->scale * (low[0] + high[0]) / 2.0;
    p->y0 = h / 2.0 + p->scale * (low[1] + high[1]) / 2.0;
}

// ---------------------------------------------------------------------------------------------
// drawing

static void put_path(const picture *p, const vec *points, int count, const char *what, bool closed)
{
    fprintf(p->out, "<path class=\"%s\" d=\"", what);
    for (int i = 0; i < count; i++) {
        const point2 q = project(p, points[i]);
        fprintf(p->out, "%s%.1f %.1f", i ? "L" : "M", q.x, q.y);
    }
    fputs(closed ? "Z\"/>" : "\"/>", p->out);
}

// the plane under the body: the half-space whose free side looks up most
static bool find_ground(const picture *p, long row, vec *n, double *d)
{
    const vec g = vec_from(p->s->settings.gravity);
    double best = 1e-9;
    for (int i = 0; i < p->s->body_count; i++) {
        const ecp_shape *shape = &p->s->bodies[i].shape;
        if (shape->kind != ECP_SHAPE_HALFSPACE) {
            continue;
        }
        const ecp_state at = trace_pose(p->t, p->s, i, row);
        const vec normal = turn(at.orientation, vec_from(shape->size));
        const double share = vec_norm(g) > 0.0 ? -vec_dot(normal, g) / vec_norm(g) : 0.5;
        if (share > best) {
            best = share;
            *n = normal;
            *d = (double)shape->offset + vec_dot(normal, vec_from(at.position));
        }
    }
    return best > 1e-6;
}

static double round_step(double raw)
{
    const double power = pow(10.0, floor(log10(raw)));
    return raw <= 1.001 * power ? power : raw <= 2.001 * power ? 2.0 * power
                                      : raw <= 5.001 * power  ? 5.0 * power
                                                              : 10.0 * power;
}

static void put_ground(const picture *p)
{
    vec n, corner[4];
    double d, low[2] = { 1e300, 1e300 }, high[2] = { -1e300, -1e300 };
    if (!find_ground(p, p->last, &n, &d)) {
        return;
    }
    const vec x = vec_unit(vec_cross(n, fabs(n.x) < 0.7 ? vec_of(1, 0, 0) : vec_of(0, 1, 0)));
    const vec y = vec_cross(n, x), origin = vec_scale(d, n);
    const double step = round_step(0.55 * p->radius);
    for (long k = p->options->first; k <= p->last; k++) {
        const vec r = vec_sub(position_at(p, k), origin);
        const double at[2] = { vec_dot(x, r), vec_dot(y, r) };
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], floor((at[i] - 1.7 * p->radius) / step) * step);
            high[i] = fmax(high[i], ceil((at[i] + 1.7 * p->radius) / step) * step);
        }
    }
    for (int i = 0; i < 4; i++) {
        const double u = i == 0 || i == 3 ? low[0] : high[0], v = i < 2 ? low[1] : high[1];
        corner[i] = vec_add(origin, vec_add(vec_scale(u, x), vec_scale(v, y)));
    }
    put_path(p, corner, 4, "ground", true);
    for (int i = 0; i < 2; i++) {
        const vec side = i ? y : x, way = i ? x : y;
        for (double u = low[i]; u <= high[i] + 1e-9; u += step) {
            const vec a = vec_add(origin, vec_scale(u, side));
            const vec ends[2] = { vec_add(a, vec_scale(low[1 - i], way)), vec_add(a, vec_scale(high[1 - i], way)) };
            put_path(p, ends, 2, "grid", false);
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const point2 *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : (p->y > q->y) - (p->y < q->y);
}

// outline of a convex body: hull of its projected vertices (monotone chain)
static void put_outline(const picture *p, const vec *points, int count, const char *what)
{
    point2 *flat = take((size_t)count, sizeof *flat), *chain = take(2u * (size_t)count + 2u, sizeof *chain);
    int n = 0;
    for (int i = 0; i < count; i++) {
        flat[i] = project(p, points[i]);
    }
    qsort(flat, (size_t)count, sizeof *flat, by_place);
    for (int pass = 0, floor_count = 0; pass < 2; pass++, floor_count = n - 1) {
        for (int i = 0; i < count; i++) {
            const point2 c = flat[pass ? count - 1 - i : i];
            while (n >= floor_count + 2 && (chain[n - 1].x - chain[n - 2].x) * (c.y - chain[n - 2].y) -
                                                   (chain[n - 1].y - chain[n - 2].y) * (c.x - chain[n - 2].x) <=
                                               0.0) {
                n--;
            }
            chain[n++] = c;
        }
    }
    fprintf(p->out, "<path class=\"%s\" d=\"", what);
    for (int i = 0; i + 1 < n; i++) {
        fprintf(p->out, "%s%.1f %.1f", i ? "L" : "M", chain[i].x, chain[i].y);
    }
    fputs("Z\"/>", p->out);
    free(flat);
    free(chain);
}

static void put_shadow(const picture *p, const vec *world, int count, long row)
{
    vec n;
    double d;
    const vec g = vec_from(p->s->settings.gravity);
    if (!find_ground(p, row, &n, &d) || !(vec_norm(g) > 0.0)) {
        return;
    }
    vec *down = take((size_t)count, sizeof *down);
    for (int i = 0; i < count; i++) {
        down[i] = vec_add(world[i], vec_scale((d - vec_dot(n, world[i])) / vec_dot(n, g), g));
    }
    put_outline(p, down, count, "shade");
    free(down);
}

// flat faces get one of three shades; a round side keeps that of the outline
static void put_faces(const picture *p, const mesh *m, const vec *world, bool *front)
{
    const vec light = vec_unit(vec_add(vec_scale(0.9, p->above),
                                       vec_add(vec_scale(-0.45, p->right), vec_scale(0.35, p->toward))));
    const ecp_shape_kind kind = p->s->bodies[p->body].shape.kind;
    const bool flat = kind == ECP_SHAPE_BOX || kind == ECP_SHAPE_POLYTOPE;
    vec *polygon = take((size_t)m->index_count, sizeof *polygon);
    for (int f = 0; f < m->face_count; f++) {
        const int count = m->first[f + 1] - m->first[f];
        vec n = { 0, 0, 0 };
        for (int i = 0; i < count; i++) {
            polygon[i] = world[m->index[m->first[f] + i]];
            n = vec_add(n, vec_cross(polygon[i], world[m->index[m->first[f] + (i + 1) % count]]));
        }
        front[f] = vec_dot(n, p->toward) > 0.0;
        if (front[f] && (flat || (count > 4 && kind != ECP_SHAPE_ELLIPSOID))) {
            const double k = vec_dot(vec_unit(n), light);
            put_path(p, polygon, count, k > 0.6 || !flat ? "f3" : k > 0.1 ? "f2" : "f1", true);
        }
    }
    free(polygon);
}

static void put_body(const picture *p, long row, double opacity)
{
    const ecp_state at = trace_pose(p->t, p->s, p->body, row);
    mesh m;
    mesh_make(&m, &p->s->bodies[p->body].shape);
    vec *world = take((size_t)m.vertex_count, sizeof *world);
    bool *front = take((size_t)m.face_count, sizeof *front);
    for (int i = 0; i < m.vertex_count; i++) {
        world[i] = vec_add(vec_from(at.position), turn(at.orientation, m.vertices[i]));
    }
    fprintf(p->out, "<g opacity=\"%.2f\">", opacity);
    put_shadow(p, world, m.vertex_count, row);
    put_outline(p, world, m.vertex_count, "f2");
    put_faces(p, &m, world, front);
    fputs("<path class=\"edge\" d=\"", p->out);
    for (int i = 0; i < m.edge_count; i++) {
        const mesh_edge *e = &m.edges[i];
        const bool outline = front[e->f] != front[e->g];
        if (outline || (e->feature && front[e->f])) {
            const point2 a = project(p, world[e->a]), b = project(p, world[e->b]);
            fprintf(p->out, "M%.1f %.1fL%.1f %.1f", a.x, a.y, b.x, b.y);
        }
    }
    fputs("\"/></g>\n", p->out);
    free(world);
    free(front);
    mesh_free(&m);
}

static int contact_column(const picture *p, const char *tail)
{
    char owner[16];
    (void)snprintf(owner, sizeof owner, "c%d", p->contact);
    return trace_column_of(p->t, owner, tail);
}

static vec ecp_at(const picture *p, long row)
{
    const int a = contact_column(p, "ax");
    return vec_of(trace_at(p->t, row, a), trace_at(p->t, row, a + 1), trace_at(p->t, row, a + 2));
}

// one path for every stretch that sticks or slips
static void put_trail(const picture *p)
{
    const int mode_column = contact_column(p, "mode");
    int pen = 0;
    for (long k = p->options->first; k <= p->last; k++) {
        const int mode = (int)trace_at(p->t, k, mode_column);
        if (mode != pen && pen) {
            fputs("\"/>", p->out);
        }
        if (mode != pen && mode) {
            const point2 start = project(p, ecp_at(p, pen ? k - 1 : k));
            fprintf(p->out, "<path class=\"trail %s\" d=\"M%.1f %.1f", mode == 1 ? "stick" : "slip",
                    start.x, start.y);
        }
        if (mode) {
            const point2 q = project(p, ecp_at(p, k));
            fprintf(p->out, "L%.1f %.1f", q.x, q.y);
        }
        pen = mode;
    }
    fputs(pen ? "\"/>\n" : "\n", p->out);
}

static void put_mark(const picture *p, long row)
{
    const int mode = (int)trace_at(p->t, row, contact_column(p, "mode"));
    static const char *const classes[] = { "halo", "mark" };
    const point2 q = project(p, ecp_at(p, row));
    for (int i = 0; i < 2 && mode; i++) {
        fprintf(p->out, "<path class=\"%s%s\" d=\"M%.1f %.1fh16m-8 -8v16m-5 -8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0\"/>", classes[i],
                i == 0 ? "" : mode == 1 ? " stick" : " slip", q.x - 8.0, q.y);
    }
}

void picture_write(FILE *out, const scenario *s, const trace *t, const picture_options *options)
{
    picture p = { .out = out, .s = s, .t = t, .options = options };
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" role=\"img\">",
            options->width, options->height, options->width, options->height);
    if (options->style) {
        fputs("<style>", out);
        picture_style(out);
        fputs("</style><rect class=\"paper\" width=\"100%\" height=\"100%\" rx=\"10\"/>", out);
    }
    fputc('\n', out);
    if (choose_body(&p)) {
        choose_poses(&p);
        choose_view(&p);
        fit(&p);
        put_ground(&p);
        for (int i = 0; i < p.pose_count; i++) {
            put_body(&p, p.poses[i], i + 1 == p.pose_count ? 1.0 : 0.35 + 0.4 * i / p.pose_count);
        }
        if (p.contact >= 0) {
            put_trail(&p);
            put_mark(&p, p.last);
        }
    }
    fputs("</svg>\n", out);
}
