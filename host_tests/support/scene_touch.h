// scene_touch.h - which points of a body lie on a plane, for checks that share no code with the
// product: least height, touching set, its dimension and the distance of a point from its border.
#ifndef ECP_TEST_SCENE_TOUCH_H
#define ECP_TEST_SCENE_TOUCH_H

#include "scene_model.h"

static double touch = 1e-7; // radii

typedef struct touching {
    double low;        // least height of the body
    double doubtful;   // distance of the nearest height from the border of "touching", over it
    int dimension;     // of the points within `touch` radii of the plane; -1: none
    int count;
    vec point[SF_MAX_NUMBERS / 3];
    bool disc;
    vec centre;
} touching;

static void touch_point(touching *s, const body *b, const vec p, double height)
{
    const double tol = touch * b->radius;
    s->low = fmin(s->low, height);
    s->doubtful = fmin(s->doubtful, fabs(height - tol) / tol);
    if (height <= tol) {
        memcpy(s->point[s->count++], p, sizeof(vec));
    }
}

// a disc of radius r about a centre on body z: its lowest point, or all of it
static void touch_disc(touching *s, const body *b, mat R, const vec n, double d, double z, double r)
{
    const vec axis = { R[0][2], R[1][2], R[2][2] };
    vec centre, p, across;
    add(centre, b->x, z, axis);
    add(across, n, -dot(n, axis), axis);
    const double slope = norm(across), height = dot(n, centre) - d;
    add(p, centre, slope > 1e-12 ? -r / slope : 0.0, across);
    touch_point(s, b, p, height - r * slope);
    if (!(r > 0.0)) {
        return; // the tip of a cone
    }
    const double tol = touch * b->radius;
    s->doubtful = fmin(s->doubtful, fabs(height + r * slope - tol) / tol);
    if (height + r * slope <= tol) {
        s->disc = true;
        memcpy(s->centre, centre, sizeof centre);
    }
}

static void touch_body(touching *s, const body *b, const vec n, double d)
{
    mat R;
    vec p, y;
    *s = (touching){ .low = 1e300, .doubtful = 1e300 };
    rotation(R, b->q);
    for (int i = 0; i < b->points; i++) {
        times(p, R, &b->point[3 * i]);
        add(p, p, 1.0, b->x);
        touch_point(s, b, p, dot(n, p) - d);
    }
    if (strcmp(b->shape, "cylinder") == 0) {
        touch_disc(s, b, R, n, d, b->size[2] / 2, b->size[0]);
        touch_disc(s, b, R, n, d, -b->size[2] / 2, b->size[0]);
    } else if (strcmp(b->shape, "cone") == 0) {
        touch_disc(s, b, R, n, d, -b->size[2] / 4, b->size[0]);
        touch_disc(s, b, R, n, d, 0.75 * b->size[2], 0.0);
    } else if (b->points == 0) {
        back(y, R, n);
        const vec Ay = { b->size[0] * y[0], b->size[1] * y[1], b->size[2] * y[2] };
        const double q = norm(Ay);
        const vec low = { -b->size[0] * Ay[0] / q, -b->size[1] * Ay[1] / q, -b->size[2] * Ay[2] / q };
        times(p, R, low);
        add(p, p, 1.0, b->x);
        touch_point(s, b, p, dot(n, b->x) - d - q);
    }
}

static double segment(const vec a, const vec p, const vec q)
{
    vec d, e;
    add(d, q, -1.0, p);
    add(e, a, -1.0, p);
    const double t = fmin(1.0, fmax(0.0, dot(e, d) / dot(d, d)));
    add(e, e, -t, d);
    return norm(e);
}

// dimension of the touching set, and the distance of a from its border
static int patch_of(const touching *s, const body *b, const vec n, const vec a, double *edge)
{
    const double tol = 1e-6 * b->radius;
    int first = 0, last = 0;
    vec d, e, c;
    *edge = 0.0;
    if (s->disc) {
        add(d, a, -1.0, s->centre);
        add(d, d, -dot(d, n), n);
        *edge = fmax(0.0, b->size[0] - norm(d));
        return 3;
    }
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < i; j++) {
            add(d, s->point[i], -1.0, s->point[j]);
            add(e, s->point[last], -1.0, s->point[first]);
            if (norm(d) > norm(e)) {
                first = j, last = i;
            }
        }
    }
    add(e, s->point[last], -1.0, s->point[first]);
    if (s->count == 0 || norm(e) <= tol) {
        return s->count > 0;
    }
    bool flat = true;
    for (int i = 0; i < s->count; i++) {
        add(d, s->point[i], -1.0, s->point[first]);
        cross(c, e, d);
        flat = flat && norm(c) <= tol * norm(e);
    }
    if (flat) {
        add(d, a, -1.0, s->point[first]);
        add(c, a, -1.0, s->point[last]);
        *edge = fmin(norm(d), norm(c));
        return 2;
    }
    // an edge of the polygon: a pair with all others on one side
    *edge = 1e300;
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < i; j++) {
            bool left = true, right = true;
            add(e, s->point[j], -1.0, s->point[i]);
            for (int k = 0; k < s->count; k++) {
                add(d, s->point[k], -1.0, s->point[i]);
                cross(c, e, d);
                left = left && dot(c, n) >= -tol * norm(e);
                right = right && dot(c, n) <= tol * norm(e);
            }
            if ((left || right) && norm(e) > tol) {
                *edge = fmin(*edge, segment(a, s->point[i], s->point[j]));
            }
        }
    }
    return 3;
}

#endif
