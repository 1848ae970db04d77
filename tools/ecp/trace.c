#include "trace.h"

#include "loads.h"

#include <stdlib.h>
#include <string.h>

static const char *const pose_names[] = { "px", "py", "pz", "qw", "qx", "qy", "qz" };
static const char *const load_names[] = { "fx", "fy", "fz", "tx", "ty", "tz" };

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static void add_name(trace *t, const char *owner, const char *tail)
{
    const size_t room = strlen(owner) + strlen(tail) + 2u;
    t->names[t->count] = take(room, 1u);
    (void)snprintf(t->names[t->count++], room, "%s%s%s", owner, owner[0] ? "." : "", tail);
}

void trace_start(trace *t, const scenario *s)
{
    csv_layout layout;
    csv_layout_make(&layout, s);
    *t = (trace){ .csv_count = layout.count, .stride = 1 };
    const int most = layout.count + s->contact_count + 7 * s->body_count;
    t->names = take((size_t)most, sizeof *t->names);
    for (int i = 0; i < layout.count; i++) {
        add_name(t, "", layout.columns[i].name);
    }
    for (int c = 0; c < s->contact_count; c++) {
        char owner[16];
        (void)snprintf(owner, sizeof owner, "c%d", c);
        add_name(t, owner, "facets");
    }
    for (int i = 0; i < s->body_count; i++) {
        const bool moved = s->bodies[i].def.kind == ECP_KINEMATIC;
        for (int k = 0; k < 7 && moved; k++) {
            add_name(t, s->bodies[i].name, pose_names[k]);
        }
        for (int k = 0; k < 6 && s->bodies[i].def.kind == ECP_DYNAMIC; k++) {
            add_name(t, s->bodies[i].name, load_names[k]);
        }
    }
    csv_layout_free(&layout);
    t->before = take((size_t)s->body_count, sizeof *t->before);
    t->cells = take((size_t)TRACE_ROWS * (size_t)t->count, sizeof *t->cells);
}

// every second row
static void thin(trace *t)
{
    const size_t width = (size_t)t->count;
    for (long k = 1; 2 * k < t->rows; k++) {
        memcpy(&t->cells[(size_t)k * width], &t->cells[2u * (size_t)k * width],
               width * sizeof *t->cells);
    }
    t->rows = (t->rows + 1) / 2;
    t->stride *= 2;
}

// loads of step k - 1, the one that led here; of the first step in row 0
static double *put_loads(double *to, const trace *t, const scenario *s, int body, long k)
{
    ecp_real wrench[6];
    double load[6];
    const uint32_t step = k > 0 ? (uint32_t)(k - 1) : 0;
    (void)scene_wrench_sum(&s->scene, body, step, wrench);
    for (int j = 0; j < 6; j++) {
        load[j] = (double)wrench[j];
    }
    for (int i = 0; i < s->scene.impulse_count; i++) {
        const scene_impulse *p = &s->scene.impulses[i];
        const bool acts = k > 0 && p->body == body && scene_impulse_acts(p, step, &t->before[body]);
        for (int j = 0; j < 6 && acts; j++) {
            load[j] += (double)p->value[j] / s->h;
        }
    }
    memcpy(to, load, sizeof load);
    return to + 6;
}

static void keep(trace *t, const scenario *s, const ecp_world *world, const ecp_report *report,
                 const double *csv, long k)
{
    double *to = &t->cells[(size_t)t->rows++ * (size_t)t->count];
    memcpy(to, csv, (size_t)t->csv_count * sizeof *to);
    to += t->csv_count;
    for (int c = 0; c < s->contact_count; c++) {
        *to++ = k == 0 ? 0.0 : (double)report->contact[c].facets;
    }
    for (int i = 0; i < s->body_count; i++) {
        ecp_state p = s->bodies[i].def.state;
        if (s->bodies[i].def.kind == ECP_DYNAMIC) {
            to = put_loads(to, t, s, i, k);
        } else if (s->bodies[i].def.kind == ECP_KINEMATIC) {
            (void)ecp_get_state(world, i, &p);
            const ecp_real pose[] = { p.position.x,    p.position.y,    p.position.z,   p.orientation.w,
                                      p.orientation.x, p.orientation.y, p.orientation.z };
            for (int j = 0; j < 7; j++) {
                *to++ = (double)pose[j];
            }
        }
    }
}

void trace_offer(trace *t, const scenario *s, const ecp_world *world, const ecp_report *report,
                 const double *csv, long k)
{
    if (t->rows == TRACE_ROWS && k % t->stride == 0) {
        thin(t);
    }
    if (k % t->stride == 0) {
        keep(t, s, world, report, csv, k);
    }
    // triggered impulses look at the state at the start of their step
    for (int i = 0; i < s->body_count; i++) {
        (void)ecp_get_state(world, i, &t->before[i]);
    }
    t->steps = k;
}

void trace_free(trace *t)
{
    for (int i = 0; i < t->count; i++) {
        free(t->names[i]);
    }
    free(t->names);
    free(t->before);
    free(t->cells);
    *t = (trace){ 0 };
}

int trace_column(const trace *t, const char *name)
{
    for (int i = 0; i < t->count; i++) {
        if (strcmp(t->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

int trace_column_of(const trace *t, const char *name, const char *tail)
{
    const size_t n = strlen(name);
    for (int i = 0; i < t->count; i++) {
        if (strncmp(t->names[i], name, n) == 0 && t->names[i][n] == '.' &&
            strcmp(t->names[i] + n + 1u, tail) == 0) {
            return i;
        }
    }
    return -1;
}

ecp_state trace_pose(const trace *t, const scenario *s, int body, long row)
{
    ecp_state state = s->bodies[body].def.state;
    const int first = trace_column_of(t, s->bodies[body].name, "px");
    if (first >= 0) {
        const double *p = &t->cells[(size_t)row * (size_t)t->count + (size_t)first];
        state.position = (ecp_vec3){ (ecp_real)p[0], (ecp_real)p[1], (ecp_real)p[2] };
        state.orientation = (ecp_quat){ (ecp_real)p[3], (ecp_real)p[4], (ecp_real)p[5], (ecp_real)p[6] };
    }
    return state;
}
