#include "world/geometry.h"

ecp_pair ecp_contact_pair(const ecp_world *world, const ecp_contact *contact)
{
    const bool swapped = world->body[contact->a].shape->kind == ECP_SHAPE_HALFSPACE;
    return (ecp_pair){ swapped ? contact->b : contact->a, swapped ? contact->a : contact->b, swapped };
}

ecp_world_plane ecp_plane_at(const ecp_shape *shape, const ecp_state *state)
{
    const ecp_mat3 R = ecp_quat_matrix(state->orientation);
    const ecp_vec3 n = ecp_m3_mulv(&R, shape->size);
    return (ecp_world_plane){ n, shape->offset + ecp_v3_dot(n, state->position) };
}

ecp_state ecp_state_advanced(const ecp_state *state, ecp_real h)
{
    ecp_state s = *state;
    s.position = ecp_v3_axpy(s.position, h, s.velocity);
    s.orientation = ecp_quat_cayley_step(s.orientation,
                                         ecp_v3_scale(ECP_R(0.5) * h, s.angular_velocity));
    return s;
}

// vertices this many radii above the lowest count as lowest: the closest point is their mean
#define TIE (ECP_REAL_BITS == 32 ? ECP_R(1e-6) : ECP_R(1e-9))

ecp_real ecp_plane_gap(const ecp_shape *shape, const ecp_state *state, ecp_world_plane plane,
                       ecp_vec3 *where)
{
    const ecp_mat3 R = ecp_quat_matrix(state->orientation);
    ecp_vec3 y;
    const ecp_real tie = where ? TIE * ecp_shape_radius(shape) : ECP_R(0.0);
    const ecp_real low = ecp_support(shape, ecp_m3_tmulv(&R, plane.n), tie, where ? &y : NULL);
    if (where != NULL) {
        *where = ecp_v3_add(state->position, ecp_m3_mulv(&R, y));
    }
    return ecp_v3_dot(plane.n, state->position) - plane.d + low;
}

// world axis least aligned with n; components within 1e-6 tie, x before y before z
static ecp_vec3 least_aligned(ecp_vec3 n)
{
    const ecp_real x = ecp_fabs(n.x), y = ecp_fabs(n.y), z = ecp_fabs(n.z), tie = ECP_R(1e-6);
    const ecp_real least = ecp_min(x, ecp_min(y, z)) + tie;
    if (x <= least) {
        return ecp_v3(1, 0, 0);
    }
    return y <= least ? ecp_v3(0, 1, 0) : ecp_v3(0, 0, 1);
}

ecp_vec3 ecp_contact_tangent(const ecp_contact *contact, ecp_vec3 n, ecp_vec3 n_u, ecp_quat B)
{
    ecp_vec3 e = least_aligned(n_u);
    if (ecp_v3_dot(contact->axis, contact->axis) > ECP_R(0.0)) {
        const ecp_mat3 R = ecp_quat_matrix(B);
        const ecp_vec3 axis = ecp_m3_mulv(&R, contact->axis);
        const ecp_vec3 t = ecp_v3_axpy(axis, -ecp_v3_dot(n, axis), n);
        // an axis along the normal gives no direction: keep the world axis
        e = ecp_v3_norm(t) > ECP_R(1e-6) * ecp_v3_norm(axis) ? axis : e;
    }
    const ecp_vec3 t = ecp_v3_axpy(e, -ecp_v3_dot(n, e), n);
    return ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(t), t);
}

// touching points collected as vertices of a planar polygon, or one flat disc
typedef struct touching {
    int count;
    ecp_vec3 p[ECP_MAX_VERTICES];  // body frame
    bool disc;
    ecp_vec3 centre;
    ecp_real radius;
} touching;

static void collect(const ecp_shape *shape, ecp_vec3 n_b, ecp_real level, ecp_real tol, touching *set)
{
    const int count = ecp_generator_count(shape);
    set->count = 0;
    set->disc = false;
    for (int i = 0; i < count; i++) {
        const ecp_generator g = ecp_generator_get(shape, i);
        const ecp_vec3 An = ecp_v3_mul(g.size, n_b);
        const ecp_real q = ecp_v3_norm(An), gap = ecp_v3_dot(n_b, g.y) - level;
        if (gap - q > tol) {
            continue;
        }
        if (g.kind == ECP_GEN_DISC && gap + q <= tol) {
            set->disc = true;
            set->centre = g.y;
            set->radius = g.size.x;
        }
        const ecp_real s = q > ECP_R(0.0) ? ECP_R(-1.0) / q : ECP_R(0.0);
        set->p[set->count++] = ecp_v3_axpy(g.y, s, ecp_v3_mul(g.size, An));
    }
}

static ecp_real segment_distance(ecp_vec3 a, ecp_vec3 p, ecp_vec3 q)
{
    const ecp_vec3 d = ecp_v3_sub(q, p), e = ecp_v3_sub(a, p);
    const ecp_real t = ecp_min(ECP_R(1.0), ecp_max(ECP_R(0.0), ecp_v3_dot(e, d) / ecp_v3_dot(d, d)));
    return ecp_v3_norm(ecp_v3_axpy(e, -t, d));
}

// distance to the border of the polygon of the touching vertices: its edges are the pairs that have
// all other vertices on one side
static ecp_real polygon_edge(const touching *set, ecp_vec3 n, ecp_vec3 a, ecp_real tol)
{
    ecp_real least = ECP_REAL_MAX;
    for (int i = 0; i < set->count; i++) {
        for (int j = 0; j < set->count; j++) {
            const ecp_vec3 d = ecp_v3_sub(set->p[j], set->p[i]);
            const ecp_real length = ecp_v3_norm(d);
            bool border = i != j && length > tol;
            for (int k = 0; k < set->count && border; k++) {
                const ecp_vec3 e = ecp_v3_sub(set->p[k], set->p[i]);
                border = ecp_v3_dot(ecp_v3_cross(d, e), n) >= -tol * length;
            }
            if (border) {
                least = ecp_min(least, segment_distance(a, set->p[i], set->p[j]));
            }
        }
    }
    return least;
}

// farthest pair, and whether any point is off their line: 1 point, 2 line, 3 surface
static int dimension(const touching *set, ecp_real tol, int *first, int *last)
{
    ecp_real longest = 0;
    *first = *last = 0;
    for (int i = 0; i < set->count; i++) {
        for (int j = 0; j < i; j++) {
            const ecp_real d = ecp_v3_norm(ecp_v3_sub(set->p[i], set->p[j]));
            if (d > longest) {
                longest = d;
                *first = j;
                *last = i;
            }
        }
    }
    if (!(longest > tol)) {
        return 1;
    }
    const ecp_vec3 d = ecp_v3_sub(set->p[*last], set->p[*first]);
    for (int k = 0; k < set->count; k++) {
        const ecp_vec3 e = ecp_v3_sub(set->p[k], set->p[*first]);
        if (ecp_v3_norm(ecp_v3_cross(d, e)) > tol * longest) {
            return 3;
        }
    }
    return 2;
}

static bool facet_holds(const ecp_shape *shape, int i, const touching *set, ecp_real tol)
{
    for (int k = 0; k < set->count; k++) {
        if (ecp_fabs(ecp_facet_eval(shape, i, set->p[k]).f) > tol) {
            return false;
        }
    }
    // a flat disc reaches beyond its collected point: only the plane it lies in holds it
    return !(set->disc && i == 0);
}

int ecp_touching_set(const ecp_shape *shape, const ecp_state *state, ecp_world_plane plane,
                     ecp_real tol, ecp_vec3 a, ecp_real *edge, int *facets)
{
    const ecp_mat3 R = ecp_quat_matrix(state->orientation);
    const ecp_vec3 n_b = ecp_m3_tmulv(&R, plane.n);
    const ecp_vec3 a_b = ecp_m3_tmulv(&R, ecp_v3_sub(a, state->position));
    touching set;
    int first, last;
    *edge = 0;
    *facets = 0;
    collect(shape, n_b, plane.d - ecp_v3_dot(plane.n, state->position), tol, &set);
    if (set.count == 0) {
        return 0;
    }
    const ecp_real wide = ECP_R(10.0) * tol + (shape->kind == ECP_SHAPE_CONE
                          ? ECP_CONE_ROUNDING * shape->size.x : ECP_R(0.0));
    for (int i = 0; i < ecp_facet_count(shape); i++) {
        *facets += facet_holds(shape, i, &set, wide) ? 1 : 0;
    }
    if (set.disc) {
        const ecp_vec3 d = ecp_v3_sub(a_b, set.centre);
        const ecp_vec3 flat = ecp_v3_axpy(d, -ecp_v3_dot(d, n_b), n_b);
        *edge = ecp_max(ECP_R(0.0), set.radius - ecp_v3_norm(flat));
        return 3;
    }
    const int kind = dimension(&set, wide, &first, &last);
    if (kind == 2) {
        *edge = ecp_min(ecp_v3_norm(ecp_v3_sub(a_b, set.p[first])),
                        ecp_v3_norm(ecp_v3_sub(a_b, set.p[last])));
    } else if (kind == 3) {
        *edge = polygon_edge(&set, n_b, a_b, tol);
    }
    return kind;
}
