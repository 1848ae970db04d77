// curved.c - the best direction where a shape is curved.
//
// Along n, a generator c + S u (|u| <= 1) of A is at f = n.c - |S n| (S in the world frame), one of B
// at -n.c - |S n|.  The gap h(n) is the least f of A plus the least f of B.  At its maximum on the
// unit sphere one or two generators of each shape are active: two vertices are an edge, the discs of
// a cylinder its side, disc and tip of a cone its side.  (Three are a face, with a normal known.)  With
// f1, f2 of A and g1, g2 of B active, T two tangents at n and n' = n + T d:
//
//   T^T grad(f1 + g1) + T^T Hess(..) T d - h d + w_A T^T grad(f2 - f1) + w_B T^T grad(g2 - g1) = 0
//   f2 - f1 + grad(f2 - f1).T d = 0        g2 - g1 + grad(g2 - g1).T d = 0
//
// solved by Newton's method.  Which are active is tried; h itself says which try was right.
#include "shape/core.h"
#include "shape/touching.h"

#define NEWTON_TURNS 8
#define CLIMB_TURNS 12
#define SHIFT (ECP_REAL_BITS == 32 ? ECP_R(1e-3) : ECP_R(1e-5))
// lengths are in units of the sizes in here
#define PROXIMAL (ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-10))
// generators this much higher than the lowest can be active beside it
#define NEAR ECP_R(0.01)

typedef struct side {
    const ecp_posed *p;
    ecp_vec3 x;         // origin relative to that of B
    ecp_real sign;      // 1 for A, -1 for B: direction and normal
    int active[2], count;
} side;

typedef struct face_value {
    ecp_real f;
    ecp_vec3 g;
    ecp_real H[3];      // tt, to, oo
} face_value;

// f = sign n.(x + R c) - q, q = |S m|, m = R^T n;  Hess = -R (S^2 - S^2 m (S^2 m)^T/q^2) R^T/q
static face_value evaluate(const side *s, int generator, const ecp_frame *T, ecp_real size)
{
    const ecp_generator g = ecp_generator_get(s->p->shape, generator);
    const ecp_vec3 m = ecp_m3_tmulv(&s->p->R, T->n), SSm = ecp_v3_mul(g.size, ecp_v3_mul(g.size, m));
    const ecp_real q = ecp_v3_norm(ecp_v3_mul(g.size, m));
    const ecp_vec3 centre = ecp_v3_add(s->x, ecp_m3_mulv(&s->p->R, g.y));
    face_value v = { .f = s->sign * ecp_v3_dot(T->n, centre) - q, .g = ecp_v3_scale(s->sign, centre) };
    if (q > ECP_R(1e-6) * size) {
        const ecp_vec3 t = ecp_m3_tmulv(&s->p->R, T->t), o = ecp_m3_tmulv(&s->p->R, T->o);
        const ecp_vec3 St = ecp_v3_mul(g.size, t), So = ecp_v3_mul(g.size, o);
        const ecp_real mt = ecp_v3_dot(SSm, t) / q, mo = ecp_v3_dot(SSm, o) / q;
        v.g = ecp_v3_axpy(v.g, ECP_R(-1.0) / q, ecp_m3_mulv(&s->p->R, SSm));
        v.H[0] = (mt * mt - ecp_v3_dot(St, St)) / q;
        v.H[1] = (mt * mo - ecp_v3_dot(St, So)) / q;
        v.H[2] = (mo * mo - ecp_v3_dot(So, So)) / q;
    }
    return v;
}

// the two lowest generators along n; one where the second is clearly higher
static void find_active(side *s, ecp_vec3 n, ecp_real size)
{
    const ecp_vec3 m = ecp_v3_scale(s->sign, ecp_m3_tmulv(&s->p->R, n));
    ecp_real low[2] = { ECP_REAL_MAX, ECP_REAL_MAX };
    for (int i = 0; i < ecp_generator_count(s->p->shape); i++) {
        ecp_vec3 y;
        const ecp_real f = ecp_generator_support(ecp_generator_get(s->p->shape, i), m, &y);
        if (f < low[0]) {
            low[1] = low[0];
            s->active[1] = s->active[0];
            low[0] = f;
            s->active[0] = i;
        } else if (f < low[1]) {
            low[1] = f;
            s->active[1] = i;
        }
    }
    s->count = low[1] - low[0] < NEAR * size ? 2 : 1;
}

// Gauss with row pivots on the 4 x 5 system; false where it is singular
static bool solve4(ecp_real a[4][5], ecp_real x[4])
{
    for (int k = 0; k < 4; k++) {
        int p = k;
        for (int i = k + 1; i < 4; i++) {
            p = ecp_fabs(a[i][k]) > ecp_fabs(a[p][k]) ? i : p;
        }
        if (!(ecp_fabs(a[p][k]) > ECP_REAL_EPS * PROXIMAL)) {
            return false;
        }
        for (int j = k; j < 5; j++) {
            const ecp_real t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        for (int i = k + 1; i < 4; i++) {
            const ecp_real r = a[i][k] / a[k][k];
            for (int j = k; j < 5; j++) {
                a[i][j] -= r * a[k][j];
            }
        }
    }
    for (int k = 3; k >= 0; k--) {
        x[k] = a[k][4];
        for (int j = k + 1; j < 4; j++) {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
    return true;
}

// a weight on its way may leave [0, 1]; a point of the shape needs one within
static ecp_real share(ecp_real w)
{
    return ecp_min(ECP_R(1.0), ecp_max(ECP_R(0.0), w));
}

// the terms of one shape: first generator, and the second with its weight w in row k
static void add_side(const side *s, int count, const ecp_frame *T, ecp_real size, ecp_real *w, int k,
                     ecp_real a[4][5], ecp_real *h)
{
    const face_value v = evaluate(s, s->active[0], T, size);
    const ecp_real u = ECP_R(1.0) / size;
    ecp_real H[3] = { v.H[0], v.H[1], v.H[2] };
    *h += v.f * u;
    a[0][4] -= ecp_v3_dot(T->t, v.g) * u;
    a[1][4] -= ecp_v3_dot(T->o, v.g) * u;
    // proximal in the weight: regular also where the two shapes ask for the same of n
    a[k][k] = -PROXIMAL;
    a[k][4] = -PROXIMAL * *w;
    if (count == 2) {
        const face_value r = evaluate(s, s->active[1], T, size);
        const ecp_vec3 d = ecp_v3_sub(r.g, v.g);
        for (int i = 0; i < 3; i++) {
            H[i] += share(*w) * (r.H[i] - v.H[i]);
        }
        *h += share(*w) * (r.f - v.f) * u;
        a[0][k] = a[k][0] = ecp_v3_dot(T->t, d) * u;
        a[1][k] = a[k][1] = ecp_v3_dot(T->o, d) * u;
        a[k][4] -= (r.f - v.f) * u;
    }
    a[0][0] += H[0] * u;
    a[0][1] += H[1] * u;
    a[1][0] += H[1] * u;
    a[1][1] += H[2] * u;
}

// one step of n and the weights; false where there is none
static bool newton_step(const ecp_core *c, const side s[2], const int count[2], bool apart, ecp_vec3 *n,
                        ecp_real w[2])
{
    const ecp_frame T = ecp_frame_of(*n);
    ecp_real a[4][5] = { { 0 } }, x[4], h = 0;
    add_side(&s[0], count[0], &T, c->size, &w[0], 2, a, &h);
    add_side(&s[1], count[1], &T, c->size, &w[1], 3, a, &h);
    // apart, |a - b| in place of h: the same at the solution, and never below 0 on the way
    const ecp_real rt = share(w[0]) * a[0][2] + share(w[1]) * a[0][3] - a[0][4];
    const ecp_real ro = share(w[0]) * a[1][2] + share(w[1]) * a[1][3] - a[1][4];
    const ecp_real rho = apart ? ecp_sqrt(h * h + rt * rt + ro * ro) : h;
    a[0][0] -= rho + PROXIMAL;
    a[1][1] -= rho + PROXIMAL;
    if (!solve4(a, x)) {
        return false;
    }
    const ecp_real length = ecp_sqrt(x[0] * x[0] + x[1] * x[1]);
    const ecp_real cut = length > ECP_R(4.0) ? ECP_R(4.0) / length : ECP_R(1.0);
    const ecp_vec3 r = ecp_v3_axpy(ecp_v3_axpy(*n, cut * x[0], T.t), cut * x[1], T.o);
    *n = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(r), r);
    w[0] = x[2];
    w[1] = x[3];
    return ecp_v3_finite(*n);
}

void ecp_axis_settle(const ecp_core *c, ecp_vec3 n, ecp_axis *best)
{
    const ecp_real noise = ECP_R(16.0) * ECP_REAL_EPS * c->size, tie = ECP_CORE_TIE * c->size;
    const ecp_real h = ecp_v3_dot(n, ecp_core_support(c, n));
    if (h > best->h + noise || (h > best->h - noise && ecp_pair_miss(c->A, c->B, n, tie) <
                                                           ecp_pair_miss(c->A, c->B, best->n, tie))) {
        *best = (ecp_axis){ n, h };
    }
}

// a vertex or an ellipsoid beside the rim of a disc: n turns freely in the plane through the axis, so
// at a small gap, or along a cap, Newton's steps would be long and crooked.  The nearest point of the
// rim to a vertex is known, and that to an ellipsoid nearly.
static bool beside_rim(const side *other, const side *disc, ecp_vec3 *n)
{
    const ecp_generator g = ecp_generator_get(other->p->shape, other->active[0]);
    const ecp_generator r = ecp_generator_get(disc->p->shape, disc->active[0]);
    if (g.kind == ECP_GEN_DISC || r.kind != ECP_GEN_DISC) {
        return false;
    }
    ecp_vec3 y;
    (void)ecp_generator_support(g, ecp_v3_scale(other->sign, ecp_m3_tmulv(&other->p->R, *n)), &y);
    const ecp_vec3 world = ecp_v3_add(ecp_v3_sub(other->x, disc->x), ecp_m3_mulv(&other->p->R, y));
    const ecp_vec3 z = ecp_v3_sub(ecp_m3_tmulv(&disc->p->R, world), r.y);
    const ecp_real across = ecp_sqrt(z.x * z.x + z.y * z.y);
    if (!(across > r.size.x)) {
        return false;
    }
    const ecp_real part = other->sign * (across - r.size.x) / across;
    const ecp_vec3 d = ecp_m3_mulv(&disc->p->R, ecp_v3(part * z.x, part * z.y, other->sign * z.z));
    const ecp_vec3 turned = ecp_v3_axpy(d, ecp_min(g.size.x, ecp_min(g.size.y, g.size.z)), *n);
    *n = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(turned), turned);
    return true;
}

// one guess of the active generators: pick 0 or 1 of the two lowest of a shape, or 2 for both
static void try_active(const ecp_core *c, const side lowest[2], const int pick[2], bool apart, ecp_axis *best)
{
    side s[2] = { lowest[0], lowest[1] };
    int count[2];
    ecp_real w[2] = { 0, 0 };
    ecp_vec3 n = best->n;
    for (int k = 0; k < 2; k++) {
        if (pick[k] > 0 && s[k].count < 2) {
            return;
        }
        count[k] = pick[k] == 2 ? 2 : 1;
        w[k] = pick[k] == 2 ? ECP_R(0.5) : ECP_R(0.0);
        s[k].active[0] = pick[k] == 1 ? lowest[k].active[1] : lowest[k].active[0];
    }
    if (apart && count[0] + count[1] == 2 && (beside_rim(&s[0], &s[1], &n) || beside_rim(&s[1], &s[0], &n))) {
        ecp_axis_settle(c, n, best);
    }
    for (int turn = 0; turn < NEWTON_TURNS && newton_step(c, s, count, apart, &n, w); turn++) {
    }
    ecp_axis_settle(c, n, best);
}

void ecp_axis_newton(const ecp_core *c, ecp_axis *best)
{
    const ecp_axis start = *best;
    const bool apart = best->h > ECP_R(-1e-6) * c->size;
    side s[2] = { { .p = c->A, .x = c->d, .sign = ECP_R(1.0) }, { .p = c->B, .sign = ECP_R(-1.0) } };
    find_active(&s[0], start.n, c->size);
    find_active(&s[1], start.n, c->size);
    for (int k = 0; k < 9; k++) {
        ecp_axis one = start;
        try_active(c, s, (const int[2]){ k % 3, k / 3 }, apart, &one);
        ecp_axis_settle(c, one.n, best);
    }
}

// h(n) + shift n.n_k is largest where A, moved by shift n_k, is nearest to B: never below h(n_k)
void ecp_axis_climb(const ecp_core *c, ecp_axis *best)
{
    for (int turn = 0; turn < CLIMB_TURNS; turn++) {
        // little more than the depth: the smaller the shift, the longer the step of n
        const ecp_real shift = ecp_max(ECP_R(-2.0) * best->h, SHIFT * c->size);
        ecp_core moved = *c;
        moved.d = ecp_v3_axpy(c->d, shift, best->n);
        const ecp_gjk g = ecp_core_gjk(&moved, best->n, ECP_R(1e-3) * shift);
        const ecp_real before = best->h;
        ecp_axis_try(c, g.best.n, best);
        ecp_axis_newton(c, best);
        if (!(best->h > before + ECP_R(64.0) * ECP_REAL_EPS * c->size)) {
            return;
        }
    }
}

#define NET_BEST 5

// keep the best few directions, the best first
static void rank(const ecp_core *c, ecp_vec3 n, ecp_axis list[NET_BEST])
{
    ecp_axis one = { n, -ECP_REAL_MAX };
    ecp_axis_try(c, n, &one);
    for (int i = 0; i < NET_BEST; i++) {
        if (one.h > list[i].h) {
            const ecp_axis t = list[i];
            list[i] = one;
            one = t;
        }
    }
}

// the direction in the axes of a shape, and for a cone also that of its side normals beside it
static void rank_beside(const ecp_core *c, const ecp_posed *p, ecp_vec3 y, ecp_axis list[NET_BEST])
{
    rank(c, ecp_m3_mulv(&p->R, y), list);
    if (p->shape->kind == ECP_SHAPE_CONE && !(ecp_fabs(y.z) > ECP_R(0.0))) {
        const ecp_real k = p->shape->size.x / p->shape->size.z * ecp_sqrt(y.x * y.x + y.y * y.y);
        y.z = p == c->A ? -k : k;
        rank(c, ecp_m3_mulv(&p->R, y), list);
    }
}

// the 26 directions to the neighbours in a cubic lattice, in the axes of both shapes
void ecp_axis_net(const ecp_core *c, ecp_axis *best)
{
    ecp_axis list[NET_BEST];
    for (int i = 0; i < NET_BEST; i++) {
        list[i] = (ecp_axis){ best->n, -ECP_REAL_MAX };
    }
    for (int k = 0; k < 54; k++) {
        const ecp_posed *p = k < 27 ? c->A : c->B;
        const int j = k % 27;
        const ecp_vec3 y = { (ecp_real)(j % 3 - 1), (ecp_real)(j / 3 % 3 - 1), (ecp_real)(j / 9 - 1) };
        if (j != 13) {
            rank_beside(c, p, y, list);
        }
    }
    for (int i = 0; i < NET_BEST; i++) {
        ecp_axis_newton(c, &list[i]);
        ecp_axis_climb(c, &list[i]);
        if (list[i].h > best->h + ECP_R(4.0) * ECP_REAL_EPS * c->size) {
            *best = list[i];
        }
    }
}
