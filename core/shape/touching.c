// touching.c - the overlap of two support sets in the contact plane.
#include "shape/touching.h"

#include "shape/flat.h"

// a facet has fewer corners than the shape has facets; a disc is shown by twelve points
#define CORNERS (ECP_MAX_FACETS > 12 ? ECP_MAX_FACETS : 12)

// hull of the points of a shape near the contact plane, or a disc that lies in it
typedef struct support_set {
    ecp_flat_hull hull;  // of A with room for the overlap
    bool disc;
    ecp_flat_point centre;
    ecp_real radius;
} support_set;

// plane coordinates about the origin of A: u along t, v along o
static ecp_flat_point flatten(const ecp_frame *f, ecp_vec3 x)
{
    return (ecp_flat_point){ ecp_v3_dot(f->t, x), ecp_v3_dot(f->o, x) };
}

static ecp_vec3 lift(const ecp_frame *f, ecp_flat_point p, ecp_real height)
{
    return ecp_v3_axpy(ecp_v3_axpy(ecp_v3_scale(height, f->n), p.u, f->t), p.v, f->o);
}

// the points y of the shape with down.y <= reach; from: its origin in the plane frame
static void collect(const ecp_posed *p, ecp_vec3 from, const ecp_frame *f, ecp_vec3 down, ecp_real reach,
                    support_set *set)
{
    const ecp_vec3 n_b = ecp_m3_tmulv(&p->R, down);
    const int count = ecp_generator_count(p->shape);
    set->hull.count = 0;
    set->disc = false;
    for (int i = 0; i < count; i++) {
        const ecp_generator g = ecp_generator_get(p->shape, i);
        ecp_vec3 y;
        const ecp_real low = ecp_generator_support(g, n_b, &y);
        if (low > reach || set->hull.count == CORNERS) {
            continue;
        }
        const ecp_real middle = ecp_v3_dot(n_b, g.y);
        if (g.kind == ECP_GEN_DISC && middle + (middle - low) <= reach) {
            set->disc = true;
            set->centre = flatten(f, ecp_v3_add(from, ecp_m3_mulv(&p->R, g.y)));
            set->radius = g.size.x;
        }
        set->hull.p[set->hull.count++] = flatten(f, ecp_v3_add(from, ecp_m3_mulv(&p->R, y)));
    }
    ecp_flat_order(&set->hull);
}

// what facets and borders are measured with
typedef struct query {
    const ecp_posed *A;
    ecp_frame f;
    ecp_real low;    // height of A's lowest point above its origin
    ecp_real tol, wide;
    ecp_flat_point a;
} query;

static bool facet_holds(const query *q, int facet, ecp_flat_point p)
{
    const ecp_vec3 y = ecp_m3_tmulv(&q->A->R, lift(&q->f, p, q->low));
    return ecp_fabs(ecp_facet_eval(q->A->shape, facet, y).f) <= q->wide;
}

// facets of A that hold all points of the hull
static int facets_of_points(const query *q, const ecp_flat_hull *h)
{
    int facets = 0;
    for (int i = 0; i < ecp_facet_count(q->A->shape); i++) {
        bool holds = true;
        for (int k = 0; k < h->count && holds; k++) {
            holds = facet_holds(q, i, h->p[k]);
        }
        facets += holds ? 1 : 0;
    }
    return facets;
}

// a flat disc reaches beyond its collected point: only the plane it lies in holds it
static int facets_of_set(const query *q, const support_set *s)
{
    if (!s->disc) {
        return facets_of_points(q, &s->hull);
    }
    int facets = 0;
    for (int i = 1; i < ecp_facet_count(q->A->shape); i++) {
        facets += facet_holds(q, i, s->centre) ? 1 : 0;
    }
    return facets;
}

static ecp_real set_depth(const support_set *s, ecp_flat_point a)
{
    return s->disc ? ecp_max(ECP_R(0.0), s->radius - ecp_flat_distance(a, s->centre))
                   : ecp_flat_depth(&s->hull, a);
}

static ecp_real end_distance(const query *q, ecp_flat_point first, ecp_flat_point last)
{
    return ecp_min(ecp_flat_distance(q->a, first), ecp_flat_distance(q->a, last));
}

// kind, border and facets of a hull that is no surface of A and B both; a chord of a disc has its
// ends on the side of A, its middle not
static int describe_hull(const query *q, const ecp_flat_hull *h, ecp_real *edge, int *facets)
{
    int first, last;
    const int kind = ecp_flat_dimension(h, q->wide, &first, &last);
    *edge = kind == 2 ? end_distance(q, h->p[first], h->p[last]) : ECP_R(0.0);
    const ecp_flat_point p = h->p[first], r = h->p[last];
    ecp_flat_point three[3] = { p, r, { ECP_R(0.5) * (p.u + r.u), ECP_R(0.5) * (p.v + r.v) } };
    *facets = facets_of_points(q, &(ecp_flat_hull){ 3, three });
    return kind;
}

// the part of segment h within the disc; its nearest point where they do not overlap
static void clip_by_disc(ecp_flat_hull *h, const support_set *disc)
{
    const ecp_flat_point m = ecp_flat_nearest(h, disc->centre);
    const ecp_flat_point p = h->p[0], r = h->p[h->count - 1];
    const ecp_real length = ecp_flat_distance(p, r), off = ecp_flat_distance(m, disc->centre);
    h->count = 1;
    h->p[0] = m;
    if (!(off < disc->radius) || !(length > ECP_R(0.0))) {
        return;
    }
    // (p + s e - c)^2 = radius^2
    const ecp_flat_point e = { (r.u - p.u) / length, (r.v - p.v) / length };
    const ecp_real foot = (disc->centre.u - p.u) * e.u + (disc->centre.v - p.v) * e.v;
    const ecp_real side = (disc->centre.u - p.u) * e.v - (disc->centre.v - p.v) * e.u;
    const ecp_real half = ecp_sqrt(ecp_max(ECP_R(0.0), disc->radius * disc->radius - side * side));
    const ecp_real s0 = ecp_max(ECP_R(0.0), foot - half), s1 = ecp_min(length, foot + half);
    h->p[0] = (ecp_flat_point){ p.u + s0 * e.u, p.v + s0 * e.v };
    h->p[1] = (ecp_flat_point){ p.u + s1 * e.u, p.v + s1 * e.v };
    h->count = 2;
}

// a flat disc against the hull of the other shape; the disc may be A's or B's
static int disc_on_hull(const query *q, const support_set *disc, support_set *other, ecp_real *edge,
                        int *facets)
{
    int first, last;
    const ecp_flat_point m = ecp_flat_nearest(&other->hull, disc->centre);
    const ecp_real off = ecp_flat_distance(m, disc->centre);
    if (off > disc->radius + ECP_R(10.0) * q->tol) {
        return 0;
    }
    const int kind = ecp_flat_dimension(&other->hull, q->wide, &first, &last);
    if (off < disc->radius - q->tol && kind == 3) {
        *edge = ecp_min(set_depth(disc, q->a), set_depth(other, q->a));
        return 3;
    }
    if (kind == 2) {
        ecp_flat_point ends[2] = { other->hull.p[first], other->hull.p[last] };
        ecp_flat_hull segment = { 2, ends };
        clip_by_disc(&segment, disc);
        return describe_hull(q, &segment, edge, facets);
    }
    ecp_flat_point point = m;
    return describe_hull(q, &(ecp_flat_hull){ 1, &point }, edge, facets);
}

static int disc_on_disc(const query *q, const support_set *A, const support_set *B, ecp_real *edge,
                        int *facets)
{
    const ecp_real far = ecp_flat_distance(A->centre, B->centre), reach = A->radius + B->radius;
    if (far < reach - q->tol) {
        *edge = ecp_min(set_depth(A, q->a), set_depth(B, q->a));
        return 3;
    }
    const ecp_real s = A->radius / far;
    ecp_flat_point p = { A->centre.u + s * (B->centre.u - A->centre.u),
                         A->centre.v + s * (B->centre.v - A->centre.v) };
    *facets = facets_of_points(q, &(ecp_flat_hull){ 1, &p });
    return far <= reach + ECP_R(10.0) * q->tol ? 1 : 0;
}

static int hull_on_hull(const query *q, support_set *A, const support_set *B, ecp_real *edge, int *facets)
{
    int first, last;
    const ecp_real depth = ecp_min(set_depth(A, q->a), set_depth(B, q->a));
    ecp_flat_overlap(&A->hull, &B->hull, ECP_R(0.1) * q->tol);
    if (A->hull.count == 0) {
        return 0;
    }
    if (ecp_flat_dimension(&A->hull, q->wide, &first, &last) == 3) {
        *edge = depth;
        return 3;
    }
    return describe_hull(q, &A->hull, edge, facets);
}

static int set_on_set(const query *q, support_set *A, support_set *B, ecp_real *edge, int *facets)
{
    if (A->disc) {
        return B->disc ? disc_on_disc(q, A, B, edge, facets) : disc_on_hull(q, A, B, edge, facets);
    }
    return B->disc ? disc_on_hull(q, B, A, edge, facets) : hull_on_hull(q, A, B, edge, facets);
}

// the whole of A's set, for a plane
static int describe_set(const query *q, const support_set *A, ecp_real *edge)
{
    int first, last;
    const int kind = A->disc ? 3 : ecp_flat_dimension(&A->hull, q->wide, &first, &last);
    if (kind == 3) {
        *edge = set_depth(A, q->a);
    } else if (kind == 2) {
        *edge = end_distance(q, A->hull.p[first], A->hull.p[last]);
    }
    return kind;
}

static query query_of(const ecp_posed *A, ecp_vec3 n, ecp_real tol, ecp_vec3 a)
{
    query q = { .A = A, .f = ecp_frame_of(n), .tol = tol };
    q.low = ecp_support(A->shape, ecp_m3_tmulv(&A->R, n), 0, NULL);
    q.wide = ECP_R(10.0) * tol + (A->shape->kind == ECP_SHAPE_CONE ? ECP_CONE_ROUNDING * A->shape->size.x
                                                                  : ECP_R(0.0));
    q.a = flatten(&q.f, ecp_v3_sub(a, A->x));
    return q;
}

int ecp_plane_touching(const ecp_posed *A, ecp_vec3 n, ecp_real d, ecp_real tol, ecp_vec3 a,
                       ecp_real *edge, int *facets)
{
    const query q = query_of(A, n, tol, a);
    ecp_flat_point corners[CORNERS];
    support_set set = { .hull.p = corners };
    *edge = 0;
    *facets = 0;
    collect(A, ecp_v3(0, 0, 0), &q.f, n, d - ecp_v3_dot(n, A->x) + tol, &set);
    if (set.hull.count == 0) {
        return 0;
    }
    *facets = facets_of_set(&q, &set);
    return describe_set(&q, &set, edge);
}

int ecp_pair_touching(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tol, ecp_vec3 a,
                      ecp_real *edge, int *facets)
{
    const query q = query_of(A, n, tol, a);
    const ecp_vec3 down = ecp_v3_scale(ECP_R(-1.0), n), from = ecp_v3_sub(B->x, A->x);
    const ecp_real low_b = ecp_support(B->shape, ecp_m3_tmulv(&B->R, down), 0, NULL);
    const ecp_real gap = q.low + low_b - ecp_v3_dot(n, from);
    *edge = 0;
    *facets = 0;
    if (gap > tol) {
        return 0;
    }
    // heights are used up by the gap before the slopes of the sets may use the rest
    const ecp_real slack = tol - ecp_max(gap, ECP_R(0.0));
    ecp_flat_point corners_a[2 + 2 * CORNERS], corners_b[CORNERS];
    support_set sa = { .hull.p = corners_a }, sb = { .hull.p = corners_b };
    collect(A, ecp_v3(0, 0, 0), &q.f, n, q.low + slack, &sa);
    collect(B, from, &q.f, down, low_b + slack, &sb);
    // a surface is held by the facets that hold all of A's set; lines and points are counted apart
    *facets = facets_of_set(&q, &sa);
    const int kind = set_on_set(&q, &sa, &sb, edge, facets);
    *facets = kind > 0 ? *facets : 0;
    return kind;
}

// a disc as twelve of its points
static void round_off(support_set *s)
{
    static const ecp_real c[12] = { 1, ECP_R(0.8660254037844386), ECP_R(0.5), 0, ECP_R(-0.5),
                                    ECP_R(-0.8660254037844386), -1, ECP_R(-0.8660254037844386),
                                    ECP_R(-0.5), 0, ECP_R(0.5), ECP_R(0.8660254037844386) };
    if (s->disc) {
        s->hull.count = 12;
        for (int i = 0; i < 12; i++) {
            s->hull.p[i].u = s->centre.u + s->radius * c[i];
            s->hull.p[i].v = s->centre.v + s->radius * c[(i + 9) % 12];
        }
    }
}

// the middle of the lens of two discs, or of the smaller one in the larger
static ecp_flat_point lens_centre(const support_set *A, const support_set *B)
{
    const ecp_real far = ecp_flat_distance(A->centre, B->centre);
    if (far <= ecp_fabs(A->radius - B->radius)) {
        return A->radius < B->radius ? A->centre : B->centre;
    }
    const ecp_real s = ECP_R(0.5) * (A->radius + far - B->radius) / far;
    return (ecp_flat_point){ A->centre.u + s * (B->centre.u - A->centre.u),
                             A->centre.v + s * (B->centre.v - A->centre.v) };
}

// of a segment its part within the disc, of a polygon that within twelve points of the disc
static ecp_real meet_disc(support_set *A, support_set *B, ecp_real tie, ecp_flat_point *p)
{
    support_set *disc = A->disc ? A : B, *other = A->disc ? B : A;
    int first, last;
    const ecp_flat_point near = ecp_flat_nearest(&other->hull, disc->centre);
    const int kind = ecp_flat_dimension(&other->hull, tie, &first, &last);
    *p = near;
    if (kind == 2) {
        ecp_flat_point ends[2] = { other->hull.p[first], other->hull.p[last] };
        ecp_flat_hull segment = { 2, ends };
        clip_by_disc(&segment, disc);
        *p = ecp_flat_centre(&segment, tie);
    } else if (kind == 3) {
        round_off(disc);
        ecp_flat_overlap(&A->hull, &B->hull, tie);
        *p = A->hull.count > 0 ? ecp_flat_centre(&A->hull, tie) : near;
    }
    return ecp_max(ECP_R(0.0), ecp_flat_distance(near, disc->centre) - disc->radius);
}

// a point p in the middle of the overlap, or how far the sets miss each other
static ecp_real meet(support_set *A, support_set *B, ecp_real tie, ecp_flat_point *p)
{
    if (A->disc && B->disc) {
        *p = lens_centre(A, B);
        return ecp_max(ECP_R(0.0), ecp_flat_distance(A->centre, B->centre) - A->radius - B->radius);
    }
    if (A->disc || B->disc) {
        return meet_disc(A, B, tie, p);
    }
    const ecp_flat_point b = ecp_flat_centre(&B->hull, tie), a = ecp_flat_nearest(&A->hull, b);
    const ecp_real miss = ecp_flat_distance(a, ecp_flat_nearest(&B->hull, a));
    const bool point = A->hull.count == 1 || B->hull.count == 1;
    ecp_flat_overlap(&A->hull, &B->hull, tie);
    *p = A->hull.count > 0 ? ecp_flat_centre(&A->hull, tie) : a;
    return A->hull.count > 0 && !point ? ECP_R(0.0) : miss;
}

static ecp_real meet_along(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tie, ecp_vec3 *where)
{
    const ecp_frame f = ecp_frame_of(n);
    const ecp_vec3 down = ecp_v3_scale(ECP_R(-1.0), n), from = ecp_v3_sub(B->x, A->x);
    const ecp_real low = ecp_support(A->shape, ecp_m3_tmulv(&A->R, n), 0, NULL);
    const ecp_real low_b = ecp_support(B->shape, ecp_m3_tmulv(&B->R, down), 0, NULL);
    ecp_flat_point corners_a[2 + 2 * CORNERS], corners_b[CORNERS], p;
    support_set sa = { .hull.p = corners_a }, sb = { .hull.p = corners_b };
    collect(A, ecp_v3(0, 0, 0), &f, n, low + tie, &sa);
    collect(B, from, &f, down, low_b + tie, &sb);
    const ecp_real miss = meet(&sa, &sb, tie, &p);
    *where = ecp_v3_add(A->x, lift(&f, p, low));
    return miss;
}

ecp_vec3 ecp_pair_centre(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tie)
{
    ecp_vec3 p;
    (void)meet_along(A, B, n, tie, &p);
    return p;
}

ecp_real ecp_pair_miss(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tie)
{
    ecp_vec3 p;
    return meet_along(A, B, n, tie, &p);
}
