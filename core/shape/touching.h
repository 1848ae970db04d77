// touching.h - the points in which two shapes, or a shape and a plane, touch: their kind, their
// border, the facets that hold all of them.  Layer: shape.
//
// In the contact plane each shape shows its support set: the hull of a few points, or a flat disc.
// The touching set is where the two sets overlap [S5].
#ifndef ECP_SHAPE_TOUCHING_H
#define ECP_SHAPE_TOUCHING_H

#include "shape/convex.h"

/// Kind of the set of points of A within tol of B: 0 none, 1 point, 2 line, 3 surface; n is the unit
/// contact normal from B to A (of ecp_closest, or of the solver).  a is the ECP, any point near the
/// plane.  *edge: distance from a to the border of the set, within it (0 for a point, and where a is
/// outside); *facets: facets of A that hold the whole set.  Both are always written.
int ecp_pair_touching(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tol, ecp_vec3 a,
                      ecp_real *edge, int *facets);

/// The same against the half-space {n.x <= d}, whose support set is the whole plane.
int ecp_plane_touching(const ecp_posed *A, ecp_vec3 n, ecp_real d, ecp_real tol, ecp_vec3 a,
                       ecp_real *edge, int *facets);

/// A point in the middle of the overlap of both support sets, ties within tie counted, at the height
/// of A's lowest point along n; where they miss each other, the point of A's set nearest to B's.
ecp_vec3 ecp_pair_centre(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tie);

/// How far those sets miss each other in the plane; 0 where they meet.
ecp_real ecp_pair_miss(const ecp_posed *A, const ecp_posed *B, ecp_vec3 n, ecp_real tie);

#endif
