// axes.c - separating axes of polytopes: face normals, and cross products of edges whose arcs of
// normals meet (all others cannot be the largest gap).  Exact near contact and where they overlap.
#include "shape/core.h"

#define MAX_EDGES (3 * ECP_MAX_FACETS)

#if ECP_MAX_FACETS <= 128
typedef uint8_t index;
#else
typedef uint16_t index;
#endif

typedef struct edge {
    index from, to;     // vertices
    index left, right;  // facets
} edge;

static bool is_polytope(const ecp_shape *s)
{
    return s->kind == ECP_SHAPE_BOX || s->kind == ECP_SHAPE_POLYTOPE;
}

static ecp_vec3 facet_normal(const ecp_shape *s, int i)
{
    if (s->kind == ECP_SHAPE_POLYTOPE) {
        return s->planes[i].n;
    }
    return ecp_facet_eval(s, i, ecp_v3(0, 0, 0)).g;
}

// facets with one normal: all of a polytope, the caps of a cylinder, the base of a cone
static void faces_of(const ecp_core *c, const ecp_posed *p, ecp_real sign, ecp_axis *best)
{
    if (p->shape->kind == ECP_SHAPE_ELLIPSOID) {
        return;
    }
    const int first = is_polytope(p->shape) ? 0 : 1;
    for (int i = first; i < ecp_facet_count(p->shape); i++) {
        const ecp_vec3 n = ecp_v3_scale(sign, ecp_m3_mulv(&p->R, facet_normal(p->shape, i)));
        if (c->curved) {
            ecp_axis_settle(c, n, best);
        } else {
            ecp_axis_try(c, n, best);
        }
    }
}

void ecp_axis_faces(const ecp_core *c, ecp_axis *best)
{
    faces_of(c, c->B, ECP_R(1.0), best);
    faces_of(c, c->A, ECP_R(-1.0), best);
}

// edge k of a box runs along one axis; the bits of k are the signs of the other two
static edge box_edge(int k)
{
    const int axis = k / 4, p = (axis + 1) % 3, q = (axis + 2) % 3;
    const int sp = k & 1, sq = (k >> 1) & 1;
    const int from = (sp << p) | (sq << q);
    return (edge){ (index)from, (index)(from | (1 << axis)), (index)(2 * p + 1 - sp),
                   (index)(2 * q + 1 - sq) };
}

static bool on_plane(const ecp_plane *p, ecp_vec3 y, ecp_real tol)
{
    return ecp_fabs(ecp_v3_dot(p->n, y) - p->d) <= tol;
}

// an edge joins two vertices that share two facets
static bool hull_edge(const ecp_shape *s, int i, int j, ecp_real tol, edge *e)
{
    int found = 0;
    *e = (edge){ (index)i, (index)j, 0, 0 };
    for (int f = 0; f < s->plane_count && found < 2; f++) {
        if (on_plane(&s->planes[f], s->vertices[i], tol) && on_plane(&s->planes[f], s->vertices[j], tol)) {
            if (found++ == 0) {
                e->left = (index)f;
            } else {
                e->right = (index)f;
            }
        }
    }
    return found == 2;
}

static int edges_of(const ecp_shape *s, edge *list)
{
    int count = 0;
    if (s->kind == ECP_SHAPE_BOX) {
        for (int k = 0; k < 12; k++) {
            list[count++] = box_edge(k);
        }
        return count;
    }
    const ecp_real tol = (ECP_REAL_BITS == 32 ? ECP_R(1e2) : ECP_R(1e6)) * ECP_REAL_EPS * ecp_shape_radius(s);
    for (int i = 0; i < s->vertex_count; i++) {
        for (int j = 0; j < i && count < MAX_EDGES; j++) {
            count += hull_edge(s, i, j, tol, &list[count]) ? 1 : 0;
        }
    }
    return count;
}

typedef struct posed_edge {
    ecp_vec3 dir, left, right;  // world frame; dir of any length
} posed_edge;

static posed_edge pose(const ecp_posed *p, edge e)
{
    const ecp_vec3 from = ecp_generator_get(p->shape, e.from).y, to = ecp_generator_get(p->shape, e.to).y;
    return (posed_edge){ ecp_m3_mulv(&p->R, ecp_v3_sub(to, from)),
                         ecp_m3_mulv(&p->R, facet_normal(p->shape, e.left)),
                         ecp_m3_mulv(&p->R, facet_normal(p->shape, e.right)) };
}

// n = +-(e_A x e_B), in the arc of normals of B's edge and opposite to that of A's; or none
static void try_edges(const ecp_core *c, const posed_edge *p, const posed_edge *q, ecp_axis *best)
{
    if (!(ecp_v3_dot(q->left, p->dir) * ecp_v3_dot(q->right, p->dir) < ECP_R(0.0)) ||
        !(ecp_v3_dot(p->left, q->dir) * ecp_v3_dot(p->right, q->dir) < ECP_R(0.0))) {
        return;
    }
    ecp_vec3 n = ecp_v3_cross(p->dir, q->dir);
    const ecp_real up = ecp_v3_dot(n, ecp_v3_add(q->left, q->right));
    const ecp_real down = ecp_v3_dot(n, ecp_v3_add(p->left, p->right));
    if (up * down < ECP_R(0.0)) {
        n = up > ECP_R(0.0) ? n : ecp_v3_scale(ECP_R(-1.0), n);
        ecp_axis_try(c, n, best);
    }
}

void ecp_axis_edges(const ecp_core *c, ecp_axis *best)
{
    if (!is_polytope(c->A->shape) || !is_polytope(c->B->shape)) {
        return;
    }
    edge a[MAX_EDGES], b[MAX_EDGES];
    const int na = edges_of(c->A->shape, a), nb = edges_of(c->B->shape, b);
    for (int i = 0; i < na; i++) {
        const posed_edge p = pose(c->A, a[i]);
        for (int j = 0; j < nb; j++) {
            const posed_edge q = pose(c->B, b[j]);
            try_edges(c, &p, &q, best);
        }
    }
}
