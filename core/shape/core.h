// core.h - the difference A - B of two bounded shapes as seen along a direction.
//
// The gap along a unit n is h(n) = min n.a - max n.b [S4].  The signed distance is the largest h over all
// unit n: any n gives a lower bound, so a candidate that was guessed wrong can never do harm.
// Spheres count as their centres here, with a margin, so that their pairs and contacts are exact.
// Layer: shape.
#ifndef ECP_SHAPE_CORE_H
#define ECP_SHAPE_CORE_H

#include "shape/convex.h"

/// Points of a support set may be higher than its lowest by this part of the sizes.
#define ECP_CORE_TIE (ECP_REAL_BITS == 32 ? ECP_R(2e-6) : ECP_R(2e-13))

/// Points are relative to the origin of B; directions are in the world frame.
typedef struct ecp_core {
    const ecp_posed *A, *B;
    ecp_vec3 d;         ///< x_A - x_B
    ecp_real size;      ///< bound of all lengths: what rounding errors are measured with
    bool curved;        ///< one of the shapes is neither a polytope nor a sphere
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
} ecp_gjk;

ecp_core ecp_core_of(const ecp_posed *A, const ecp_posed *B);
bool ecp_shape_is_sphere(const ecp_shape *shape);
/// a - b where n.(a - b) is least.
ecp_vec3 ecp_core_support(const ecp_core *c, ecp_vec3 n);
/// Take n (any length) for the best axis if its gap is larger by more than rounding.
void ecp_axis_try(const ecp_core *c, ecp_vec3 n, ecp_axis *best);
/// Nearest points of the cores by the method of Gilbert, Johnson and Keerthi, from a unit direction,
/// until the bounds of the distance are within enough of each other.
ecp_gjk ecp_core_gjk(const ecp_core *c, ecp_vec3 start, ecp_real enough);
/// Face normals of both shapes; the edge pairs of two polytopes.
void ecp_axis_faces(const ecp_core *c, ecp_axis *best);
void ecp_axis_edges(const ecp_core *c, ecp_axis *best);
/// Take unit n for the best axis if its gap is larger, or the same to rounding and the support sets
/// along it meet better: h is flat at its maximum, the points are not.
void ecp_axis_settle(const ecp_core *c, ecp_vec3 n, ecp_axis *best);
/// Where a shape is curved: Newton's method on the conditions of the best direction, from *best.
void ecp_axis_newton(const ecp_core *c, ecp_axis *best);
/// Climb from *best where the cores touch or overlap, in bounded steps.
void ecp_axis_climb(const ecp_core *c, ecp_axis *best);
/// The directions of a coarse net: *best climbs from the best few of them.
void ecp_axis_net(const ecp_core *c, ecp_axis *best);

#endif
