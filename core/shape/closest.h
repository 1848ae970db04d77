// closest.h - signed distance, closest points and normal of two bounded convex shapes.
//
//   const ecp_posed A = { shape_a, R_a, x_a }, B = { shape_b, R_b, x_b };   // R: ecp_quat_matrix(q)
//   const ecp_closest_points c = ecp_closest(&A, &B);
//
// No state, no memory but the stack, every loop bounded.  Layer: shape.
#ifndef ECP_SHAPE_CLOSEST_H
#define ECP_SHAPE_CLOSEST_H

#include "shape/touching.h"

typedef struct ecp_closest_points {
    ecp_real gap;   ///< Euclidean distance; minus the least separating translation where they overlap
    ecp_vec3 a, b;  ///< world frame, a on A, b on B, a - b = gap n; of flush faces and parallel edges
                    ///< the middle of their overlap
    ecp_vec3 n;     ///< unit normal from B to A
} ecp_closest_points;

/// Domain: shapes that ecp_shape_check accepts, no half-space.  Always returns finite numbers; gap is
/// exactly the gap along the returned n (min n.a - max n.b), so never above the true one.
/// Errors relative to the sizes and the distance of the origins: of the gap some eps, also where the
/// shapes touch or overlap; of the points some eps for polytopes and spheres, 1e-11 for curved shapes
/// (where they touch 3e-9 in 1 of 100,000 random pairs; float 3e-4: edges that cross and rims that
/// touch are seen along a normal good to half the digits).  Of a curved shape deep inside another the
/// depth is the best that climbs from a net of directions find: in about 1 of 300 random pairs not
/// the least one.
/// Where n is not unique (flush edges, concentric shapes) it is one of the possible ones, the same
/// every time.
ecp_closest_points ecp_closest(const ecp_posed *A, const ecp_posed *B);

#endif
