// pairs.h - which body of a contact gives the face and which the points, and the face.  Layer: world.
#ifndef ECP_WORLD_PAIRS_H
#define ECP_WORLD_PAIRS_H

#include "world/substep.h"

/// NULL: contacts of the two shapes can be solved; otherwise what is wrong.
const char *ecp_pair_refusal(const ecp_shape *a, const ecp_shape *b);
/// Fill I, R, facet, gap, n and at of contact k from the start pose. reach: farther apart than this, by
/// bounding spheres, only the bound is needed.
void ecp_pair_open(const ecp_world *world, int k, ecp_real reach, ecp_touch *touch);
/// Choose the reference face by a normal from B to A. keep: that of the last step while it is nearly as near.
void ecp_pair_choose(const ecp_world *world, int k, ecp_vec3 n, bool keep, ecp_touch *touch);
/// The face of R, at pose R, that is nearest to a normal from R to I. False: it is so already.
bool ecp_pair_turn(const ecp_world *world, const ecp_state *R, ecp_vec3 N, ecp_touch *touch);
/// Gap of contact k along n (from R to I) at poses.
ecp_real ecp_pair_gap_along(const ecp_touch *touch, const ecp_world *world, const ecp_state *I,
                            const ecp_state *R, ecp_vec3 n);
/// Distance that the bounding spheres of two bodies at poses leave.
ecp_real ecp_pair_bound(const ecp_body *a, const ecp_state *sa, const ecp_body *b, const ecp_state *sb);
/// Facets of a polytope that share an edge with its facet; returns how many, at most max.
int ecp_pair_sides(const ecp_shape *shape, int facet, int16_t *side, int max);
/// Distance from the body origin to the nearest point of its surface.
ecp_real ecp_inner_radius(const ecp_shape *shape);
/// Speed at which the closest points of the pair k approach in the free motion of a step of h.
ecp_real ecp_pair_speed(const ecp_world *world, int k, ecp_real h);

#endif
