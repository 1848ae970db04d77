// flat.c - convex sets in a plane.
#include "shape/flat.h"

static ecp_flat_point minus(ecp_flat_point a, ecp_flat_point b)
{
    return (ecp_flat_point){ a.u - b.u, a.v - b.v };
}

static ecp_flat_point along(ecp_flat_point a, ecp_real t, ecp_flat_point d)
{
    return (ecp_flat_point){ a.u + t * d.u, a.v + t * d.v };
}

static ecp_real dot(ecp_flat_point a, ecp_flat_point b)
{
    return a.u * b.u + a.v * b.v;
}

static ecp_real cross(ecp_flat_point a, ecp_flat_point b)
{
    return a.u * b.v - a.v * b.u;
}

static ecp_real norm(ecp_flat_point a)
{
    return ecp_sqrt(dot(a, a));
}

ecp_real ecp_flat_distance(ecp_flat_point a, ecp_flat_point b)
{
    return norm(minus(a, b));
}

static void swap(ecp_flat_point *a, ecp_flat_point *b)
{
    const ecp_flat_point t = *a;
    *a = *b;
    *b = t;
}

// q comes before r when seen from p: more to the right, or on one ray the farther one
static bool before(ecp_flat_point p, ecp_flat_point q, ecp_flat_point r)
{
    const ecp_flat_point a = minus(q, p), b = minus(r, p);
    const ecp_real turn = cross(a, b);
    return turn > ECP_R(0.0) || (!(turn < ECP_R(0.0)) && dot(a, a) > dot(b, b));
}

// gift wrapping in place: corner i is the one that has all others on its left
void ecp_flat_order(ecp_flat_hull *h)
{
    ecp_flat_point *p = h->p;
    for (int i = 1; i < h->count; i++) {
        if (p[i].u < p[0].u || (!(p[i].u > p[0].u) && p[i].v < p[0].v)) {
            swap(&p[0], &p[i]);
        }
    }
    for (int i = 1; i < h->count; i++) {
        int next = i;
        for (int k = i + 1; k < h->count; k++) {
            next = before(p[i - 1], p[k], p[next]) ? k : next;
        }
        // the start comes next: what is left lies inside
        if (i > 1 && before(p[i - 1], p[0], p[next])) {
            h->count = i;
            return;
        }
        swap(&p[i], &p[next]);
    }
}

int ecp_flat_dimension(const ecp_flat_hull *h, ecp_real tol, int *first, int *last)
{
    ecp_real longest = 0;
    *first = *last = 0;
    for (int i = 0; i < h->count; i++) {
        for (int j = 0; j < i; j++) {
            const ecp_real d = ecp_flat_distance(h->p[i], h->p[j]);
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
    const ecp_flat_point d = minus(h->p[*last], h->p[*first]);
    for (int k = 0; k < h->count; k++) {
        if (ecp_fabs(cross(d, minus(h->p[k], h->p[*first]))) > tol * longest) {
            return 3;
        }
    }
    return 2;
}

// triangles about the first corner, weighted by their areas
static ecp_flat_point area_centre(const ecp_flat_hull *h)
{
    ecp_real area = 0;
    ecp_flat_point sum = { 0, 0 };
    for (int i = 2; i < h->count; i++) {
        const ecp_flat_point d = minus(h->p[i - 1], h->p[0]), e = minus(h->p[i], h->p[0]);
        const ecp_real A = cross(d, e);
        area += A;
        sum = along(along(sum, A, d), A, e);
    }
    return area > ECP_R(0.0) ? along(h->p[0], ECP_R(1.0) / (ECP_R(3.0) * area), sum) : h->p[0];
}

ecp_flat_point ecp_flat_centre(const ecp_flat_hull *h, ecp_real tol)
{
    int first, last;
    const int kind = ecp_flat_dimension(h, tol, &first, &last);
    if (kind == 3) {
        return area_centre(h);
    }
    return along(h->p[first], ECP_R(0.5), minus(h->p[last], h->p[first]));
}

static ecp_flat_point nearest_on_segment(ecp_flat_point a, ecp_flat_point p, ecp_flat_point q)
{
    const ecp_flat_point d = minus(q, p);
    const ecp_real dd = dot(d, d);
    const ecp_real t = dd > ECP_R(0.0) ? dot(minus(a, p), d) / dd : ECP_R(0.0);
    return along(p, ecp_min(ECP_R(1.0), ecp_max(ECP_R(0.0), t)), d);
}

static bool inside(const ecp_flat_hull *h, ecp_flat_point a)
{
    for (int i = 0; i < h->count; i++) {
        const ecp_flat_point p = h->p[i], q = h->p[(i + 1) % h->count];
        if (cross(minus(q, p), minus(a, p)) < ECP_R(0.0)) {
            return false;
        }
    }
    return h->count > 2;
}

static ecp_flat_point nearest_on_border(const ecp_flat_hull *h, ecp_flat_point a)
{
    ecp_flat_point best = h->p[0];
    for (int i = 0; i < h->count; i++) {
        const ecp_flat_point p = nearest_on_segment(a, h->p[i], h->p[(i + 1) % h->count]);
        best = ecp_flat_distance(a, p) < ecp_flat_distance(a, best) ? p : best;
    }
    return best;
}

ecp_flat_point ecp_flat_nearest(const ecp_flat_hull *h, ecp_flat_point a)
{
    return inside(h, a) ? a : nearest_on_border(h, a);
}

ecp_real ecp_flat_depth(const ecp_flat_hull *h, ecp_flat_point a)
{
    return inside(h, a) ? ecp_flat_distance(a, nearest_on_border(h, a)) : ECP_R(0.0);
}

// keep the corners with e.(x - q) <= tol, |e| = 1, and cut sides at 0.  A convex loop gains at most
// one corner, so that reading two places ahead of writing is enough to clip in place; rounding that
// makes it less than convex is not given more.
static void clip(ecp_flat_hull *h, ecp_flat_point q, ecp_flat_point e, ecp_real tol)
{
    const int n = h->count;
    ecp_flat_point *p = h->p;
    for (int i = n - 1; i >= 0; i--) {
        p[i + 2] = p[i];
    }
    const ecp_flat_point first = p[2];
    int kept = 0;
    for (int i = 0; i < n; i++) {
        const ecp_flat_point from = p[i + 2], to = i + 1 < n ? p[i + 3] : first;
        const ecp_real f = dot(e, minus(from, q)), g = dot(e, minus(to, q));
        if (f <= tol && kept <= n) {
            p[kept++] = from;
        }
        // a segment has one side only: its way back is not looked at
        const bool crosses = (f <= tol) != (g <= tol) && ecp_min(f, g) < ECP_R(0.0);
        if (crosses && (n > 2 || i == 0) && kept <= i + 2 && kept <= n) {
            p[kept++] = along(from, f / (f - g), minus(to, from));
        }
    }
    h->count = kept;
}

static void clip_by_hull(ecp_flat_hull *P, const ecp_flat_hull *Q, ecp_real tol)
{
    for (int i = 0; i < Q->count && P->count > 0; i++) {
        const ecp_flat_point q = Q->p[i], d = minus(Q->p[(i + 1) % Q->count], q);
        const ecp_real length = norm(d);
        if (length > ECP_R(0.0)) {
            clip(P, q, (ecp_flat_point){ d.v / length, -d.u / length }, tol);
        }
    }
}

// side by side they share a segment; crossing, the point where their lines meet
static void overlap_segments(ecp_flat_hull *P, const ecp_flat_hull *Q, ecp_real tol)
{
    const ecp_flat_point q = Q->p[0], d = minus(Q->p[1], q);
    const ecp_real length = norm(d);
    const ecp_flat_point e = { d.u / length, d.v / length }, side = { e.v, -e.u };
    clip(P, q, (ecp_flat_point){ -e.u, -e.v }, tol);
    clip(P, Q->p[1], e, tol);
    if (P->count < 2) {
        return;
    }
    const ecp_real f = dot(side, minus(P->p[0], q)), g = dot(side, minus(P->p[1], q));
    if (ecp_fabs(f) <= ECP_R(10.0) * tol && ecp_fabs(g) <= ECP_R(10.0) * tol) {
        return;
    }
    // the lines miss each other within the segments: beyond an end, by more than tol or not at all
    P->count = f * g <= ECP_R(0.0) || ecp_min(ecp_fabs(f), ecp_fabs(g)) <= tol ? 1 : 0;
    const ecp_real t = ecp_min(ECP_R(1.0), ecp_max(ECP_R(0.0), f / (f - g)));
    P->p[0] = along(P->p[0], t, minus(P->p[1], P->p[0]));
}

void ecp_flat_overlap(ecp_flat_hull *P, const ecp_flat_hull *Q, ecp_real tol)
{
    if (P->count >= 3 && Q->count == 2) {
        ecp_flat_point segment[5] = { Q->p[0], Q->p[1] };
        ecp_flat_hull s = { 2, segment };
        clip_by_hull(&s, P, tol);
        for (int i = 0; i < s.count; i++) {
            P->p[i] = segment[i];
        }
        P->count = s.count;
    } else if (Q->count >= 3) {
        clip_by_hull(P, Q, tol);
    } else if (Q->count == 2 && P->count == 2) {
        overlap_segments(P, Q, tol);
    } else {
        // a point: where the other one is, if it reaches there
        const ecp_flat_point p = Q->count == 1 ? Q->p[0] : P->p[0];
        const ecp_flat_point r = Q->count == 1 ? ecp_flat_nearest(P, p) : ecp_flat_nearest(Q, p);
        P->count = ecp_flat_distance(p, r) <= ECP_R(10.0) * tol ? 1 : 0;
        P->p[0] = p;
    }
}
