#include "hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Every plane through three corners that has all corners on one side is a facet. Testing all triples
// is slow for many corners, but it needs no topology to be kept right: rounding can at worst lose or
// double a facet, and Euler's formula at the end tells. Only points that are outside of the hull of
// the corners found so far become corners, so that a fine mesh of a simple body stays cheap.
//
// Points printed with few digits share a plane only about; where one tolerance leaves it open which
// of them do, the next larger one decides, and the corners are moved into their planes.
//
// Lengths below are relative to the largest distance of a point from the first one.
#define COPLANAR   1e-9 // points this close to a plane are on it; the first of the tolerances
#define COARSEST   1e-4 // and the last
#define SAME_POINT 10.0 // points this many tolerances apart are one
#define THIN       1e-6 // triangles of less height give no reliable normal
#define FLAT       1e-7 // a set of less thickness has no inside
#define EXACT      1e-12 // corners this far from their planes need no correction

typedef struct point_set {
    int count;
    double (*p)[3];
    int *from; // place among the points given
    double scale, tol;
} point_set;

typedef struct facet {
    double n[3], d;
    double area;       // of the triangle that defined the plane, twice
    unsigned char *on; // on[i]: point i lies in the plane
} facet;

typedef struct facet_list {
    int count;
    facet *f;
} facet_list;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[i] - b[i];
    }
}

static void cross(double out[3], const double a[3], const double b[3])
{
    const double c[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                          a[0] * b[1] - a[1] * b[0] };
    memcpy(out, c, sizeof c);
}

static double distance(const double a[3], const double b[3])
{
    double d[3];
    subtract(d, a, b);
    return sqrt(dot(d, d));
}

// ---------------------------------------------------------------------------------------------
// the point set

// keep a point, in the order of the points given; false if it is one that is kept already
static bool keep(point_set *set, const double *points, int i)
{
    int at = set->count;
    for (int k = 0; k < set->count; k++) {
        if (distance(&points[3 * (size_t)i], set->p[k]) <= SAME_POINT * set->tol * set->scale) {
            return false;
        }
    }
    for (; at > 0 && set->from[at - 1] > i; at--) {
        memcpy(set->p[at], set->p[at - 1], sizeof *set->p);
        set->from[at] = set->from[at - 1];
    }
    memcpy(set->p[at], &points[3 * (size_t)i], sizeof *set->p);
    set->from[at] = i;
    set->count++;
    return true;
}

// the point farthest from point a, from the line a b (b >= 0), from the plane a b c (c >= 0)
static int farthest(const double *points, int count, int a, int b, int c, double *most)
{
    double u[3] = { 0.0 }, v[3], w[3], n[3] = { 0.0 };
    int best = a;
    *most = 0.0;
    if (b >= 0) {
        subtract(u, &points[3 * (size_t)b], &points[3 * (size_t)a]);
    }
    if (c >= 0) {
        subtract(v, &points[3 * (size_t)c], &points[3 * (size_t)a]);
        cross(n, u, v);
    }
    for (int i = 0; i < count; i++) {
        subtract(v, &points[3 * (size_t)i], &points[3 * (size_t)a]);
        cross(w, u, v);
        const double far = c >= 0   ? fabs(dot(n, v)) / sqrt(dot(n, n))
                           : b >= 0 ? sqrt(dot(w, w) / dot(u, u))
                                    : sqrt(dot(v, v));
        if (far > *most) {
            *most = far;
            best = i;
        }
    }
    return best;
}

// four points that span a volume, to begin with; false if there are none
static bool start_set(point_set *set, const double *points, int count)
{
    double thickness;
    const int b = farthest(points, count, 0, -1, -1, &set->scale);
    if (b == 0) {
        return false;
    }
    const int c = farthest(points, count, 0, b, -1, &thickness);
    if (!(thickness > FLAT * set->scale)) {
        return false;
    }
    const int d = farthest(points, count, 0, b, c, &thickness);
    const int first[4] = { 0, b, c, d };
    set->p = take(HULL_MAX_POINTS, sizeof *set->p);
    set->from = take(HULL_MAX_POINTS, sizeof *set->from);
    for (int i = 0; i < 4; i++) {
        (void)keep(set, points, first[i]);
    }
    return thickness > FLAT * set->scale && set->count == 4;
}

// ---------------------------------------------------------------------------------------------
// facets

// plane through three points, unit normal; false if they are nearly on one line
static bool plane_through(facet *f, const point_set *set, int i, int j, int k)
{
    double u[3], v[3];
    subtract(u, set->p[j], set->p[i]);
    subtract(v, set->p[k], set->p[i]);
    cross(f->n, u, v);
    f->area = sqrt(dot(f->n, f->n));
    const double side = fmax(distance(set->p[j], set->p[k]), sqrt(fmax(dot(u, u), dot(v, v))));
    if (!(f->area > THIN * set->scale * side)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        f->n[c] /= f->area;
    }
    f->d = dot(f->n, set->p[i]);
    return true;
}

// turn the plane so that all points are behind it; false if they are on both sides
static bool supports(facet *f, const point_set *set)
{
    const double eps = set->tol * set->scale;
    bool above = false, below = false;
    for (int i = 0; i < set->count; i++) {
        const double s = dot(f->n, set->p[i]) - f->d;
        above = above || s > eps;
        below = below || s < -eps;
        if (above && below) {
            return false;
        }
    }
    if (above) {
        for (int c = 0; c < 3; c++) {
            f->n[c] = -f->n[c];
        }
        f->d = -f->d;
    }
    return true;
}

// the facet in which all three points lie already, or NULL
static facet *facet_with(const facet_list *list, int i, int j, int k)
{
    for (int m = 0; m < list->count; m++) {
        if (list->f[m].on[i] && list->f[m].on[j] && list->f[m].on[k]) {
            return &list->f[m];
        }
    }
    return NULL;
}

static void mark(facet *f, const point_set *set)
{
    for (int i = 0; i < set->count; i++) {
        f->on[i] = fabs(dot(f->n, set->p[i]) - f->d) <= set->tol * set->scale;
    }
}

static bool try_triple(facet_list *list, const point_set *set, int i, int j, int k)
{
    facet f = { .d = 0.0 };
    if (!plane_through(&f, set, i, j, k) || !supports(&f, set)) {
        return true;
    }
    facet *known = facet_with(list, i, j, k);
    if (known) {
        if (f.area <= known->area) {
            return true;
        }
        // the larger triangle gives the better normal; the marks stay
        f.on = known->on;
        *known = f;
        return true;
    }
    if (list->count >= 2 * HULL_MAX_POINTS) {
        return false;
    }
    f.on = take((size_t)set->count, 1u);
    mark(&f, set);
    list->f[list->count++] = f;
    return true;
}

static void drop_facets(facet_list *list)
{
    for (int m = 0; m < list->count; m++) {
        free(list->f[m].on);
    }
    free(list->f);
    *list = (facet_list){ 0 };
}

static bool find_facets(facet_list *list, const point_set *set)
{
    drop_facets(list);
    list->f = take(2u * HULL_MAX_POINTS, sizeof *list->f);
    for (int i = 0; i < set->count; i++) {
        for (int j = i + 1; j < set->count; j++) {
            for (int k = j + 1; k < set->count; k++) {
                if (!try_triple(list, set, i, j, k)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// a corner is where three facets meet whose normals span space
static bool is_corner(const facet_list *list, int point)
{
    double w[3];
    for (int a = 0; a < list->count; a++) {
        for (int b = a + 1; list->f[a].on[point] && b < list->count; b++) {
            if (!list->f[b].on[point]) {
                continue;
            }
            cross(w, list->f[a].n, list->f[b].n);
            for (int c = b + 1; c < list->count; c++) {
                if (list->f[c].on[point] && fabs(dot(w, list->f[c].n)) > 1e-9) {
                    return true;
                }
            }
        }
    }
    return false;
}

// V - E + F = 2, every corner of a facet being the end of two of its edges
static bool is_closed(const facet_list *list, const unsigned char *corner, int points)
{
    int vertices = 0, ends = 0;
    for (int i = 0; i < points; i++) {
        vertices += corner[i];
        for (int m = 0; m < list->count; m++) {
            ends += corner[i] && list->f[m].on[i];
        }
    }
    return ends % 2 == 0 && vertices - ends / 2 + list->count == 2;
}

// add the farthest point outside of every facet; false if there is no room. *added: how many
static bool add_outside(point_set *set, const facet_list *list, const double *points, int count,
                        int *added)
{
    *added = 0;
    for (int m = 0; m < list->count; m++) {
        int best = -1;
        double most = set->tol * set->scale;
        for (int i = 0; i < count; i++) {
            const double out = dot(list->f[m].n, &points[3 * (size_t)i]) - list->f[m].d;
            if (out > most) {
                most = out;
                best = i;
            }
        }
        if (best >= 0 && set->count == HULL_MAX_POINTS) {
            return false;
        }
        *added += best >= 0 && keep(set, points, best);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// corners into planes

// move a point to where the squares of its distances from its facets are least; false if its facets
// hardly differ, so that it is no corner
static bool move_into_planes(double p[3], const facet_list *list, int point)
{
    double A[3][3] = { { 0.0 } }, b[3] = { 0.0 }, c[3];
    for (int m = 0; m < list->count; m++) {
        const facet *f = &list->f[m];
        const double off = f->on[point] ? f->d - dot(f->n, p) : 0.0;
        for (int i = 0; f->on[point] && i < 3; i++) {
            b[i] += off * f->n[i];
            for (int j = 0; j < 3; j++) {
                A[i][j] += f->n[i] * f->n[j];
            }
        }
    }
    cross(c, A[1], A[2]);
    const double det = dot(A[0], c);
    if (!(det > 1e-12)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        // rows of the inverse of a symmetric matrix are these cross products over its determinant
        double row[3];
        cross(row, A[(i + 1) % 3], A[(i + 2) % 3]);
        p[i] += dot(row, b) / det;
    }
    return true;
}

// the plane of a facet that has three corners goes through them
static void fit_triangle(facet *f, const point_set *set, const unsigned char *corner)
{
    int at[3], n = 0;
    for (int i = 0; i < set->count; i++) {
        if (corner[i] && f->on[i]) {
            if (n == 3) {
                return;
            }
            at[n++] = i;
        }
    }
    facet fitted = *f;
    if (n == 3 && plane_through(&fitted, set, at[0], at[1], at[2])) {
        const double sign = dot(fitted.n, f->n) < 0.0 ? -1.0 : 1.0;
        for (int c = 0; c < 3; c++) {
            f->n[c] = sign * fitted.n[c];
        }
        f->d = sign * fitted.d;
    }
}

static double worst_corner(const facet_list *list, const point_set *set,
                           const unsigned char *corner)
{
    double worst = 0.0;
    for (int m = 0; m < list->count; m++) {
        for (int i = 0; i < set->count; i++) {
            if (corner[i] && list->f[m].on[i]) {
                worst = fmax(worst, fabs(dot(list->f[m].n, set->p[i]) - list->f[m].d));
            }
        }
    }
    return worst;
}

// facets and corners that fit each other; true at once for points that are exact
static bool fit(facet_list *list, point_set *set, const unsigned char *corner)
{
    for (int pass = 0; pass < 50; pass++) {
        if (worst_corner(list, set, corner) <= EXACT * set->scale) {
            return true;
        }
        for (int i = 0; i < set->count; i++) {
            if (corner[i] && !move_into_planes(set->p[i], list, i)) {
                return false;
            }
        }
        for (int m = 0; m < list->count; m++) {
            fit_triangle(&list->f[m], set, corner);
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// the hull

static void copy_out(hull *out, const facet_list *list, const point_set *set,
                     const unsigned char *corner)
{
    out->planes = take((size_t)list->count, sizeof *out->planes);
    out->vertices = take((size_t)set->count, sizeof *out->vertices);
    for (int m = 0; m < list->count; m++) {
        memcpy(out->planes[m], list->f[m].n, 3u * sizeof(double));
        out->planes[m][3] = list->f[m].d;
    }
    out->plane_count = list->count;
    for (int i = 0; i < set->count; i++) {
        if (corner[i]) {
            memcpy(out->vertices[out->vertex_count++], set->p[i], sizeof *out->vertices);
        }
    }
}

static bool origin_inside(const facet_list *list, double scale)
{
    for (int m = 0; m < list->count; m++) {
        if (!(list->f[m].d > COPLANAR * scale)) {
            return false;
        }
    }
    return true;
}

typedef enum outcome { MADE, UNCLEAR, REFUSED } outcome;

static outcome finish(hull *out, facet_list *list, point_set *set, const char **why)
{
    unsigned char *corner = take((size_t)set->count, 1u);
    for (int i = 0; i < set->count; i++) {
        corner[i] = is_corner(list, i);
    }
    outcome result = UNCLEAR;
    if (!is_closed(list, corner, set->count) || !fit(list, set, corner)) {
        *why = "some points nearly coincide or nearly share a plane; expected a cleaner set";
    } else if (!origin_inside(list, set->scale)) {
        *why = "the origin is not inside; expected the centre of mass, the body's origin, inside";
        result = REFUSED;
    } else {
        copy_out(out, list, set, corner);
        result = MADE;
    }
    free(corner);
    return result;
}

static outcome build(hull *out, facet_list *list, point_set *set, const double *points, int count,
                     const char **why)
{
    int added = 1;
    if (!start_set(set, points, count)) {
        *why = "the points lie in one plane; expected a body with volume";
        return REFUSED;
    }
    while (added > 0) {
        if (!find_facets(list, set) || !add_outside(set, list, points, count, &added)) {
            *why = "the hull has too many corners; expected at most 512";
            return REFUSED;
        }
    }
    return finish(out, list, set, why);
}

bool hull_of_points(hull *out, const double *points, int count, const char **why)
{
    outcome result = UNCLEAR;
    *out = (hull){ 0 };
    if (count <= 0) {
        *why = "no points; expected at least four";
        return false;
    }
    for (double tol = COPLANAR; result == UNCLEAR && tol < 2.0 * COARSEST; tol *= 10.0) {
        point_set set = { .tol = tol };
        facet_list list = { 0 };
        result = build(out, &list, &set, points, count, why);
        drop_facets(&list);
        free(set.p);
        free(set.from);
    }
    return result == MADE;
}

// ---------------------------------------------------------------------------------------------
// planes

// n.y <= d with d > 0 has the polar point n/d. Corners of the hull of the polar points belong to
// the planes that bound something, its facets m.z <= e to the vertices m/e, and it has the origin
// inside exactly when the intersection is bounded.
static bool polar_points(double *polar, const double *planes, int count, const char **why)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        const double *p = &planes[4 * (size_t)i];
        const double length = sqrt(dot(p, p));
        if (!(length > 0.0) || !isfinite(length)) {
            *why = "a normal has no length; expected nx,ny,nz,d with a normal that is not zero";
            return false;
        }
        largest = fmax(largest, p[3] / length);
    }
    for (int i = 0; i < count; i++) {
        const double *p = &planes[4 * (size_t)i];
        if (!(p[3] / sqrt(dot(p, p)) > COPLANAR * largest)) {
            *why = "the planes do not leave the origin inside; expected d > 0 in every plane";
            return false;
        }
        for (int c = 0; c < 3; c++) {
            polar[3 * (size_t)i + (size_t)c] = p[c] / p[3];
        }
    }
    return true;
}

static void from_polar(hull *out, const hull *polar)
{
    out->planes = take((size_t)polar->vertex_count, sizeof *out->planes);
    out->vertices = take((size_t)polar->plane_count, sizeof *out->vertices);
    out->plane_count = polar->vertex_count;
    out->vertex_count = polar->plane_count;
    for (int i = 0; i < polar->vertex_count; i++) {
        const double length = sqrt(dot(polar->vertices[i], polar->vertices[i]));
        for (int c = 0; c < 3; c++) {
            out->planes[i][c] = polar->vertices[i][c] / length;
        }
        out->planes[i][3] = 1.0 / length;
    }
    for (int i = 0; i < polar->plane_count; i++) {
        for (int c = 0; c < 3; c++) {
            out->vertices[i][c] = polar->planes[i][c] / polar->planes[i][3];
        }
    }
}

bool hull_of_planes(hull *out, const double *planes, int count, const char **why)
{
    *out = (hull){ 0 };
    double *points = take(3u * (size_t)count, sizeof *points);
    hull polar;
    bool ok = polar_points(points, planes, count, why);
    if (ok && !hull_of_points(&polar, points, count, why)) {
        if (!strstr(*why, "too many")) {
            *why = "the planes do not close a body; expected a bounded intersection";
        }
        ok = false;
    }
    if (ok) {
        from_polar(out, &polar);
        hull_free(&polar);
    }
    free(points);
    return ok;
}

void hull_free(hull *h)
{
    free(h->planes);
    free(h->vertices);
    *h = (hull){ 0 };
}
