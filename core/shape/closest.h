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
/// Errors relative to the sizes and the distance of the origins: of the gap and the points some eps,
/// touching or overlapping included; points of curved shapes 1e-11 (float, touching: 3e-4, because rims
/// that touch are seen along a normal good to half the digits).  A curved shape deep (more than some
/// per cent of the sizes) in another is given a depth of a net of directions and climbs from its best:
/// in about 1 of 300 random pairs that is not the least one.
/// Where n is not unique (flush edges, concentric shapes) it is one of the possible ones, the same
/// every time.
ecp_closest_points ecp_closest(const ecp_posed *A, const ecp_posed *B);

#endif
