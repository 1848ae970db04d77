#include "hull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Every plane through three points that has all points on one side is a facet. Testing all triples
// is slow for large sets, but it needs no topology to be kept right: rounding can at worst lose or
// double a facet, and Euler's formula at the end tells.
//
// Lengths below are relative to the largest distance of a point from the first one.
#define COPLANAR   1e-9 // points this close to a plane are on it
#define SAME_POINT 1e-8 // points this close are one
#define THIN       1e-6 // triangles of less height give no reliable normal
#define FLAT       1e-7 // a set of less thickness has no inside

typedef struct point_set {
    int count;
    double (*p)[3];
    double scale;
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

static bool collect(point_set *set, const double *points, int count, const char **why)
{
    *set = (point_set){ .p = take((size_t)count, sizeof *set->p) };
    for (int i = 0; i < count; i++) {
        set->scale = fmax(set->scale, distance(&points[3 * (size_t)i], points));
    }
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (int k = 0; k < set->count && !known; k++) {
            known = distance(&points[3 * (size_t)i], set->p[k]) <= SAME_POINT * set->scale;
        }
        if (known) {
            continue;
        }
        if (set->count == HULL_MAX_POINTS) {
            *why = "too many different points or planes; expected at most 512";
            return false;
        }
        memcpy(set->p[set->count++], &points[3 * (size_t)i], sizeof *set->p);
    }
    return true;
}

// the point farthest from the line p0 p1
static int farthest_from_line(const point_set *set, int p1, double *height)
{
    double u[3], v[3], w[3];
    int best = 0;
    *height = 0.0;
    subtract(u, set->p[p1], set->p[0]);
    const double length = sqrt(dot(u, u));
    for (int i = 0; i < set->count; i++) {
        subtract(v, set->p[i], set->p[0]);
        cross(w, u, v);
        const double h = sqrt(dot(w, w)) / length;
        if (h > *height) {
            *height = h;
            best = i;
        }
    }
    return best;
}

static bool has_volume(const point_set *set)
{
    int p1 = 0;
    double u[3], v[3], n[3], height = 0.0, thickness = 0.0;
    for (int i = 1; i < set->count; i++) {
        if (distance(set->p[i], set->p[0]) > distance(set->p[p1], set->p[0])) {
            p1 = i;
        }
    }
    if (set->count < 4 || p1 == 0) {
        return false;
    }
    const int p2 = farthest_from_line(set, p1, &height);
    if (!(height > FLAT * set->scale)) {
        return false;
    }
    subtract(u, set->p[p1], set->p[0]);
    subtract(v, set->p[p2], set->p[0]);
    cross(n, u, v);
    for (int i = 0; i < set->count; i++) {
        subtract(u, set->p[i], set->p[0]);
        thickness = fmax(thickness, fabs(dot(n, u)) / sqrt(dot(n, n)));
    }
    return thickness > FLAT * set->scale;
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
    const double eps = COPLANAR * set->scale;
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
        f->on[i] = fabs(dot(f->n, set->p[i]) - f->d) <= COPLANAR * set->scale;
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

static bool find_facets(facet_list *list, const point_set *set)
{
    list->count = 0;
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

static bool build(hull *out, facet_list *list, const point_set *set, const char **why)
{
    if (!find_facets(list, set)) {
        *why = "the hull has too many facets; expected fewer or cleaner points";
        return false;
    }
    unsigned char *corner = take((size_t)set->count, 1u);
    for (int i = 0; i < set->count; i++) {
        corner[i] = is_corner(list, i);
    }
    bool ok = is_closed(list, corner, set->count);
    if (!ok) {
        *why = "some points nearly coincide or nearly share a plane; expected a cleaner set";
    } else if (!origin_inside(list, set->scale)) {
        *why = "the origin is not inside; expected the centre of mass, the body's origin, inside";
        ok = false;
    } else {
        copy_out(out, list, set, corner);
    }
    free(corner);
    return ok;
}

bool hull_of_points(hull *out, const double *points, int count, const char **why)
{
    point_set set = { 0 };
    facet_list list = { 0 };
    *out = (hull){ 0 };
    bool ok = count > 0;
    if (!ok) {
        *why = "no points; expected at least four";
    } else if (!collect(&set, points, count, why)) {
        ok = false;
    } else if (!has_volume(&set)) {
        *why = "the points lie in one plane; expected a body with volume";
        ok = false;
    } else {
        ok = build(out, &list, &set, why);
    }
    for (int m = 0; m < list.count; m++) {
        free(list.f[m].on);
    }
    free(list.f);
    free(set.p);
    return ok;
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
        *why = "the planes do not close a body; expected a bounded intersection";
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
