// hull.h - convex polytopes from points (convex hull) or from planes (intersection).
//
// Computed in double on the host and the same on every machine: only + - * / and sqrt, no order
// that depends on anything but the input.
#ifndef ECP_TOOL_HULL_H
#define ECP_TOOL_HULL_H

#include <stdbool.h>
#include <stddef.h>

/// Corners that a hull may have; points that are no corners are not counted.
#define HULL_MAX_POINTS 512

typedef struct hull {
    int plane_count, vertex_count;
    double (*planes)[4]; ///< unit outward normal and distance, n.y <= d
    double (*vertices)[3];
} hull;

/// Convex hull of points x,y,z, ... Coplanar facets are merged; points that are not corners are
/// dropped. The origin must be inside. False: *why is "what is wrong; what was expected".
bool hull_of_points(hull *out, const double *points, int count, const char **why);
/// Intersection of n.y <= d given as nx,ny,nz,d, ... (n of any length but zero), origin inside.
/// Planes that bound nothing are dropped.
bool hull_of_planes(hull *out, const double *planes, int count, const char **why);
void hull_free(hull *h);

#endif
