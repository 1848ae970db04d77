// flat.h - convex sets in a plane: hulls of a few points, and their overlap.  Layer: shape.
#ifndef ECP_SHAPE_FLAT_H
#define ECP_SHAPE_FLAT_H

#include "math/vec3.h"

typedef struct ecp_flat_point {
    ecp_real u, v;
} ecp_flat_point;

/// Hull of count points: counterclockwise from 3 on, a segment, a point.  The memory is the caller's.
typedef struct ecp_flat_hull {
    int count;
    ecp_flat_point *p;
} ecp_flat_hull;

ecp_real ecp_flat_distance(ecp_flat_point a, ecp_flat_point b);
/// Points in any order become the corners of their hull, counterclockwise.
void ecp_flat_order(ecp_flat_hull *h);
/// 1 point, 2 segment, 3 with an interior, to within tol; *first and *last are the farthest points.
int ecp_flat_dimension(const ecp_flat_hull *h, ecp_real tol, int *first, int *last);
/// Distance of a from the border of an ordered hull of three points or more, 0 outside.
ecp_real ecp_flat_depth(const ecp_flat_hull *h, ecp_flat_point a);
/// The point of an ordered hull nearest to a: a itself inside.
ecp_flat_point ecp_flat_nearest(const ecp_flat_hull *h, ecp_flat_point a);
/// P becomes its overlap with Q, borders meeting within tol counted, possibly empty.  Both are
/// ordered; P's memory holds 2 + P.count + Q.count points.
void ecp_flat_overlap(ecp_flat_hull *P, const ecp_flat_hull *Q, ecp_real tol);
/// Centroid of an ordered hull, of its area, length or single point, to within tol.
ecp_flat_point ecp_flat_centre(const ecp_flat_hull *h, ecp_real tol);

#endif
