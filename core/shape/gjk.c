// gjk.c - nearest points of two convex cores by the method of Gilbert, Johnson and Keerthi.
//
// The simplex has at most four points a - b; its point nearest to the origin comes from trying all
// its vertices, edges and triangles, which needs no order of cases and survives flat simplices.
#include "shape/core.h"

#define MAX_TURNS 64
#define MAX_IDLE 4

bool ecp_shape_is_sphere(const ecp_shape *shape)
{
    const ecp_vec3 s = shape->size;
    return shape->kind == ECP_SHAPE_ELLIPSOID && !(s.x < s.y) && !(s.x > s.y) && !(s.x < s.z) && !(s.x > s.z);
}

static bool is_curved(const ecp_shape *s)
{
    return s->kind != ECP_SHAPE_BOX && s->kind != ECP_SHAPE_POLYTOPE && !ecp_shape_is_sphere(s);
}

ecp_core ecp_core_of(const ecp_posed *A, const ecp_posed *B)
{
    const ecp_vec3 d = ecp_v3_sub(A->x, B->x);
    return (ecp_core){ .A = A, .B = B, .d = d,
                       .size = ecp_v3_norm(d) + ecp_shape_radius(A->shape) + ecp_shape_radius(B->shape),
                       .curved = is_curved(A->shape) || is_curved(B->shape),
                       .margin_a = ecp_shape_is_sphere(A->shape) ? A->shape->size.x : ECP_R(0.0),
                       .margin_b = ecp_shape_is_sphere(B->shape) ? B->shape->size.x : ECP_R(0.0) };
}

// point of the body frame where n_b.y is least
static ecp_vec3 lowest(const ecp_shape *shape, ecp_vec3 n_b)
{
    const ecp_vec3 s = shape->size;
    if (shape->kind == ECP_SHAPE_BOX) {
        return ecp_v3(n_b.x > ECP_R(0.0) ? -s.x : s.x, n_b.y > ECP_R(0.0) ? -s.y : s.y,
                      n_b.z > ECP_R(0.0) ? -s.z : s.z);
    }
    ecp_real least = ECP_REAL_MAX;
    ecp_vec3 where = { 0, 0, 0 };
    const int count = ecp_generator_count(shape);
    for (int i = 0; i < count; i++) {
        ecp_vec3 y;
        const ecp_real low = ecp_generator_support(ecp_generator_get(shape, i), n_b, &y);
        if (low < least) {
            least = low;
            where = y;
        }
    }
    return where;
}

ecp_vec3 ecp_core_support(const ecp_core *c, ecp_vec3 n)
{
    ecp_vec3 a = c->d, b = { 0, 0, 0 };
    if (!(c->margin_a > ECP_R(0.0))) {
        a = ecp_v3_add(c->d, ecp_m3_mulv(&c->A->R, lowest(c->A->shape, ecp_m3_tmulv(&c->A->R, n))));
    }
    if (!(c->margin_b > ECP_R(0.0))) {
        const ecp_vec3 up = ecp_v3_scale(ECP_R(-1.0), ecp_m3_tmulv(&c->B->R, n));
        b = ecp_m3_mulv(&c->B->R, lowest(c->B->shape, up));
    }
    return ecp_v3_sub(a, b);
}

void ecp_axis_try(const ecp_core *c, ecp_vec3 n, ecp_axis *best)
{
    const ecp_real length = ecp_v3_norm(n);
    if (!(length > ECP_R(0.0))) {
        return;
    }
    const ecp_vec3 unit = ecp_v3_scale(ECP_R(1.0) / length, n);
    const ecp_real h = ecp_v3_dot(unit, ecp_core_support(c, unit));
    if (h > best->h + ECP_R(4.0) * ECP_REAL_EPS * c->size) {
        *best = (ecp_axis){ unit, h };
    }
}

typedef struct simplex {
    int count;
    ecp_vec3 w[4];        // points a - b
    ecp_vec3 v;           // the nearest point of their hull
    ecp_real vv;          // v.v
    int on[3], on_count;  // the points whose hull v is in
} simplex;

static void keep(simplex *s, ecp_vec3 v, int i, int j, int k)
{
    const ecp_real vv = ecp_v3_dot(v, v);
    if (vv < s->vv) {
        s->v = v;
        s->vv = vv;
        s->on[0] = i;
        s->on[1] = j;
        s->on[2] = k;
        s->on_count = k >= 0 ? 3 : j >= 0 ? 2 : 1;
    }
}

static void try_segment(simplex *s, int i, int j)
{
    const ecp_vec3 e = ecp_v3_sub(s->w[j], s->w[i]);
    const ecp_real t = -ecp_v3_dot(s->w[i], e) / ecp_v3_dot(e, e);
    if (t > ECP_R(0.0) && t < ECP_R(1.0)) {
        keep(s, ecp_v3_axpy(s->w[i], t, e), i, j, -1);
    }
}

// is d normal to p to half the digits?
static bool normal_to(ecp_vec3 p, ecp_vec3 d)
{
    const ecp_real pd = ecp_v3_dot(p, d);
    return pd * pd <= ECP_R(16.0) * ECP_REAL_EPS * ecp_v3_dot(p, p) * ecp_v3_dot(d, d);
}

// p = N (w0.N)/N.N, weights by the areas of the three triangles with p.  The N of a sliver is mostly
// rounding, and p then too short: not a point of its plane.
static void try_triangle(simplex *s, int i, int j, int k)
{
    const ecp_vec3 *w = s->w;
    const ecp_vec3 N = ecp_v3_cross(ecp_v3_sub(w[j], w[i]), ecp_v3_sub(w[k], w[i]));
    const ecp_real NN = ecp_v3_dot(N, N);
    if (!(NN > ECP_R(0.0))) {
        return;
    }
    const ecp_vec3 p = ecp_v3_scale(ecp_v3_dot(w[i], N) / NN, N);
    const ecp_vec3 pi = ecp_v3_sub(w[i], p), pj = ecp_v3_sub(w[j], p), pk = ecp_v3_sub(w[k], p);
    const ecp_real li = ecp_v3_dot(N, ecp_v3_cross(pj, pk)) / NN;
    const ecp_real lj = ecp_v3_dot(N, ecp_v3_cross(pk, pi)) / NN;
    const ecp_real lk = ecp_v3_dot(N, ecp_v3_cross(pi, pj)) / NN;
    if (li > ECP_R(0.0) && lj > ECP_R(0.0) && lk > ECP_R(0.0) && normal_to(p, pi) && normal_to(p, pj) &&
        normal_to(p, pk)) {
        keep(s, p, i, j, k);
    }
}

// the origin and the fourth point are on the same side of every face
static bool holds_origin(const ecp_vec3 *w)
{
    for (int i = 0; i < 4; i++) {
        const ecp_vec3 p = w[i], q = w[(i + 1) & 3], r = w[(i + 2) & 3], top = w[(i + 3) & 3];
        const ecp_vec3 N = ecp_v3_cross(ecp_v3_sub(q, p), ecp_v3_sub(r, p));
        const ecp_real origin = -ecp_v3_dot(N, p), inner = ecp_v3_dot(N, ecp_v3_sub(top, p));
        if (!(origin * inner > ECP_R(0.0))) {
            return false;
        }
    }
    return true;
}

// nearest point of the hull of the simplex to the origin; drops the points it does not need.  The
// last one was found below the others along v, so it is needed, however little the distance gains.
static void reduce(simplex *s)
{
    const int i = s->count - 1;
    s->vv = ECP_REAL_MAX;
    keep(s, s->w[i], i, -1, -1);
    for (int j = 0; j < i; j++) {
        try_segment(s, j, i);
        for (int k = 0; k < j; k++) {
            try_triangle(s, k, j, i);
        }
    }
    // on[] ascends, so that moving the points down in place loses none
    for (int k = 0; k < s->on_count; k++) {
        s->w[k] = s->w[s->on[k]];
    }
    s->count = s->on_count;
}

// direction of v, made normal to the edges of the simplex: near contact v itself is small and its
// direction coarse, while its being normal to a long edge decides the gap along it
static ecp_vec3 direction(const simplex *s)
{
    ecp_vec3 n = ecp_v3_scale(ECP_R(1.0) / ecp_sqrt(s->vv), s->v);
    if (s->count == 3) {
        const ecp_vec3 N = ecp_v3_cross(ecp_v3_sub(s->w[1], s->w[0]), ecp_v3_sub(s->w[2], s->w[0]));
        n = ecp_v3_scale(ecp_v3_dot(N, n) < ECP_R(0.0) ? ECP_R(-1.0) : ECP_R(1.0), N);
    } else if (s->count == 2) {
        const ecp_vec3 e = ecp_v3_sub(s->w[1], s->w[0]);
        n = ecp_v3_axpy(n, -ecp_v3_dot(n, e) / ecp_v3_dot(e, e), e);
    }
    return ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(n), n);
}

static bool has(const simplex *s, ecp_vec3 w)
{
    for (int i = 0; i < s->count; i++) {
        const ecp_vec3 d = ecp_v3_sub(s->w[i], w);
        if (!(ecp_v3_dot(d, d) > ECP_R(0.0))) {
            return true;
        }
    }
    return false;
}

ecp_gjk ecp_core_gjk(const ecp_core *c, ecp_vec3 start, ecp_real enough)
{
    const ecp_real noise = ECP_R(4.0) * ECP_REAL_EPS * c->size;
    ecp_vec3 n = start;
    simplex s = { .count = 0, .vv = ECP_REAL_MAX };
    ecp_gjk g = { .best = { n, -ECP_REAL_MAX }, .distance = ECP_REAL_MAX };
    int idle = 0;
    for (int turn = 0; turn < MAX_TURNS; turn++) {
        const ecp_vec3 w = ecp_core_support(c, n);
        const ecp_real h = ecp_v3_dot(n, w);
        if (h > g.best.h) {
            g.best = (ecp_axis){ n, h };
        }
        if (g.distance - h <= ecp_max(noise, enough) || has(&s, w)) {
            break;
        }
        s.w[s.count++] = w;
        if (s.count == 4 && holds_origin(s.w)) {
            g.distance = 0;
            break;
        }
        reduce(&s);
        const ecp_real distance = ecp_sqrt(s.vv);
        // the distance changes less than the direction does: a few turns without a gain are allowed
        idle = distance < g.distance ? 0 : idle + 1;
        if (idle > MAX_IDLE) {
            break;
        }
        g.distance = ecp_min(distance, g.distance);
        if (!(distance > ECP_R(0.0))) {
            break;
        }
        n = direction(&s);
    }
    return g;
}
