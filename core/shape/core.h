// core.h - the difference A - B of two bounded shapes as seen along a direction.
//
// The gap along a unit n is h(n) = min n.a - max n.b.  The signed distance is the largest h over all
// unit n: any n gives a lower bound, so a candidate that was guessed wrong can never do harm.
// Spheres count as their centres here, with a margin, so that their pairs and contacts are exact.
// Layer: shape.
#ifndef ECP_SHAPE_CORE_H
#define ECP_SHAPE_CORE_H

#include "shape/convex.h"

/// Points are relative to the origin of B; directions are in the world frame.
typedef struct ecp_core {
    const ecp_posed *A, *B;
    ecp_vec3 d;         ///< x_A - x_B
    ecp_real size;      ///< bound of all lengths: what rounding errors are measured with
    ecp_real margin_a, margin_b;  ///< radii of spheres, 0 for other shapes
} ecp_core;

/// The best direction found so far.
typedef struct ecp_axis {
    ecp_vec3 n;    ///< unit, from B to A
    ecp_real h;    ///< gap of the cores along n: the largest so far
} ecp_axis;

/// What the search for the nearest points of the cores found.
typedef struct ecp_gjk {
    ecp_axis best;
    ecp_real distance;  ///< distance of two points of the cores: an upper bound; 0 where they overlap
    ecp_vec3 a;         ///< the point of A of that pair
    ecp_vec3 v;         ///< a - b
} ecp_gjk;

ecp_core ecp_core_of(const ecp_posed *A, const ecp_posed *B);
bool ecp_shape_is_sphere(const ecp_shape *shape);
/// a - b and a, where n.(a - b) is least.
ecp_vec3 ecp_core_support(const ecp_core *c, ecp_vec3 n, ecp_vec3 *a);
/// Take n (any length) for the best axis if its gap is larger by more than rounding.
void ecp_axis_try(const ecp_core *c, ecp_vec3 n, ecp_axis *best);
/// Nearest points of the cores by the method of Gilbert, Johnson and Keerthi.
ecp_gjk ecp_core_gjk(const ecp_core *c);
/// Face normals of both shapes; the edge pairs of two polytopes.
void ecp_axis_faces(const ecp_core *c, ecp_axis *best);
void ecp_axis_edges(const ecp_core *c, ecp_axis *best);

#endif
