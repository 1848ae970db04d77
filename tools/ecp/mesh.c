#include "mesh.h"

#include <math.h>
#include <stdlib.h>

#define TURN 6.283185307179586
// of a round shape: steps about its axis, and from pole to pole of an ellipsoid; multiples of 4
enum { AROUND = 48, DOWN = 24 };

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static void allocate(mesh *m, int vertices, int faces, int indices)
{
    m->vertices = take((size_t)vertices, sizeof *m->vertices);
    m->first = take((size_t)faces + 1u, sizeof *m->first);
    m->index = take((size_t)indices, sizeof *m->index);
    m->edges = take((size_t)indices, sizeof *m->edges);
}

static void add_index(mesh *m, int vertex)
{
    m->index[m->index_count++] = vertex;
}

static void end_face(mesh *m)
{
    m->first[++m->face_count] = m->index_count;
}

// ---------------------------------------------------------------------------------------------
// edges

static mesh_edge *edge_between(mesh *m, int a, int b)
{
    for (int i = 0; i < m->edge_count; i++) {
        if ((m->edges[i].a == b && m->edges[i].b == a) || (m->edges[i].a == a && m->edges[i].b == b)) {
            return &m->edges[i];
        }
    }
    return NULL;
}

static void make_edges(mesh *m, bool feature)
{
    for (int f = 0; f < m->face_count; f++) {
        for (int i = m->first[f]; i < m->first[f + 1]; i++) {
            const int a = m->index[i], b = m->index[i + 1 < m->first[f + 1] ? i + 1 : m->first[f]];
            mesh_edge *edge = edge_between(m, a, b);
            if (edge) {
                edge->g = f;
            } else {
                m->edges[m->edge_count++] = (mesh_edge){ a, b, f, f, feature };
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// polytopes

typedef struct corner {
    double angle;
    int vertex;
} corner;

static int by_angle(const void *a, const void *b)
{
    const double d = ((const corner *)a)->angle - ((const corner *)b)->angle;
    return (d > 0.0) - (d < 0.0);
}

// the vertices on one plane, in order about its normal
static void polytope_face(mesh *m, vec n, double d, double tolerance, corner *corners)
{
    int count = 0;
    vec middle = { 0, 0, 0 };
    for (int v = 0; v < m->vertex_count; v++) {
        if (fabs(vec_dot(n, m->vertices[v]) - d) <= tolerance) {
            corners[count++].vertex = v;
            middle = vec_add(middle, m->vertices[v]);
        }
    }
    if (count < 3) {
        return;
    }
    middle = vec_scale(1.0 / count, middle);
    const vec x = vec_unit(vec_sub(m->vertices[corners[0].vertex], middle)), y = vec_cross(n, x);
    for (int i = 0; i < count; i++) {
        const vec r = vec_sub(m->vertices[corners[i].vertex], middle);
        corners[i].angle = atan2(vec_dot(y, r), vec_dot(x, r));
    }
    qsort(corners, (size_t)count, sizeof *corners, by_angle);
    for (int i = 0; i < count; i++) {
        add_index(m, corners[i].vertex);
    }
    end_face(m);
}

static void make_polytope(mesh *m, const ecp_shape *s)
{
    const double tolerance = 1e-6 * shape_reach(s) * (ECP_REAL_BITS == 32 ? 100.0 : 1.0);
    allocate(m, s->vertex_count, s->plane_count, s->vertex_count * s->plane_count);
    corner *corners = take((size_t)s->vertex_count, sizeof *corners);
    m->vertex_count = s->vertex_count;
    for (int v = 0; v < s->vertex_count; v++) {
        m->vertices[v] = vec_from(s->vertices[v]);
    }
    for (int i = 0; i < s->plane_count; i++) {
        polytope_face(m, vec_from(s->planes[i].n), (double)s->planes[i].d, tolerance, corners);
    }
    free(corners);
    make_edges(m, true);
}

static void make_box(mesh *m, vec half)
{
    corner corners[8];
    allocate(m, 8, 6, 24);
    m->vertex_count = 8;
    for (int v = 0; v < 8; v++) {
        m->vertices[v] = vec_of(v & 1 ? half.x : -half.x, v & 2 ? half.y : -half.y,
                                v & 4 ? half.z : -half.z);
    }
    const double tolerance = 1e-9 * vec_norm(half);
    for (int i = 0; i < 6; i++) {
        const double sign = i % 2 ? -1.0 : 1.0;
        const vec n = { i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0, i / 2 == 2 ? sign : 0.0 };
        polytope_face(m, n, i < 2 ? half.x : i < 4 ? half.y : half.z, tolerance, corners);
    }
    make_edges(m, true);
}

// ---------------------------------------------------------------------------------------------
// round shapes: rings about body z, from the bottom up

static int ring_vertex(int ring, int k)
{
    return ring * AROUND + k % AROUND;
}

// rings of AROUND vertices; the first and the last are closed by a flat face
static void make_rings(mesh *m, int rings, const double *radius, const double *z, double flat)
{
    allocate(m, rings * AROUND, (rings - 1) * AROUND + 2, ((rings - 1) * 4 + 2) * AROUND);
    m->vertex_count = rings * AROUND;
    for (int i = 0; i < m->vertex_count; i++) {
        const double angle = TURN * (i % AROUND) / AROUND, r = radius[i / AROUND];
        m->vertices[i] = vec_of(r * cos(angle), flat * r * sin(angle), z[i / AROUND]);
    }
    for (int ring = 0; ring + 1 < rings; ring++) {
        for (int k = 0; k < AROUND; k++) {
            add_index(m, ring_vertex(ring, k));
            add_index(m, ring_vertex(ring, k + 1));
            add_index(m, ring_vertex(ring + 1, k + 1));
            add_index(m, ring_vertex(ring + 1, k));
            end_face(m);
        }
    }
    for (int k = 0; k < AROUND; k++) {
        add_index(m, ring_vertex(0, AROUND - k));
    }
    end_face(m);
    for (int k = 0; k < AROUND; k++) {
        add_index(m, ring_vertex(rings - 1, k));
    }
    end_face(m);
    make_edges(m, false);
}

// four lines from pole to pole, and one ring: what shows that a round body turns
static void mark_features(mesh *m, int ring, int other)
{
    for (int i = 0; i < m->edge_count; i++) {
        mesh_edge *e = &m->edges[i];
        const int a = e->a / AROUND, b = e->b / AROUND;
        e->feature = a == b ? a == ring || a == other : e->a % (AROUND / 4) == 0;
    }
}

static void make_ellipsoid(mesh *m, vec radii)
{
    double radius[DOWN + 1], z[DOWN + 1];
    for (int i = 0; i <= DOWN; i++) {
        // the poles are small rings, so that every face has an area
        const double angle = 0.5 * TURN * fmin(fmax(i, 0.02), DOWN - 0.02) / DOWN;
        radius[i] = radii.x * sin(angle);
        z[i] = -radii.z * cos(angle);
    }
    make_rings(m, DOWN + 1, radius, z, radii.y / radii.x);
    mark_features(m, DOWN / 2, DOWN / 2);
}

void mesh_make(mesh *m, const ecp_shape *s)
{
    const vec a = vec_from(s->size);
    *m = (mesh){ 0 };
    switch (s->kind) {
    case ECP_SHAPE_BOX: make_box(m, a); break;
    case ECP_SHAPE_POLYTOPE: make_polytope(m, s); break;
    case ECP_SHAPE_ELLIPSOID: make_ellipsoid(m, a); break;
    case ECP_SHAPE_CYLINDER:
        make_rings(m, 2, (double[]){ a.x, a.x }, (double[]){ -a.z, a.z }, 1.0);
        mark_features(m, 0, 1);
        break;
    case ECP_SHAPE_CONE:
        // the tip is a small ring, so that every face has an area
        make_rings(m, 2, (double[]){ a.x, 1e-3 * a.x }, (double[]){ -0.25 * a.z, 0.749 * a.z }, 1.0);
        mark_features(m, 0, 0);
        break;
    default: break;
    }
}

void mesh_free(mesh *m)
{
    free(m->vertices);
    free(m->first);
    free(m->index);
    free(m->edges);
    *m = (mesh){ 0 };
}
