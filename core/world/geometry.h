// geometry.h - a body against a half-space: plane, frame, gap, touching set.  Layer: world.
#ifndef ECP_WORLD_GEOMETRY_H
#define ECP_WORLD_GEOMETRY_H

#include "math/quat.h"
#include "shape/convex.h"

/// Points within this many radii of the surface touch it.
#define ECP_TOUCHING (ECP_REAL_BITS == 32 ? ECP_R(1e-4) : ECP_R(1e-7))

/// The moving body and the half-space of a contact; swapped when the half-space is body A.
typedef struct ecp_pair {
    int moving, plane;
    bool swapped;
} ecp_pair;

/// A half-space in the world frame.
typedef struct ecp_world_plane {
    ecp_vec3 n;  ///< outward unit normal
    ecp_real d;  ///< free where n.x >= d
} ecp_world_plane;

ecp_pair ecp_contact_pair(const ecp_world *world, const ecp_contact *contact);
ecp_world_plane ecp_plane_at(const ecp_shape *shape, const ecp_state *state);
/// State after h of free motion at its velocities.
ecp_state ecp_state_advanced(const ecp_state *state, ecp_real h);
/// Least distance of the shape from the plane; *where (may be NULL) the closest point, world frame.
ecp_real ecp_plane_gap(const ecp_shape *shape, const ecp_state *state, ecp_world_plane plane,
                       ecp_vec3 *where);
/// Shape at a pose.
ecp_posed ecp_posed_at(const ecp_shape *shape, const ecp_state *state);
/// Direction whose projection across n is the tangent t.
ecp_vec3 ecp_contact_axis(const ecp_contact *contact, ecp_vec3 n, ecp_vec3 n_u, ecp_quat B);
/// Tangent of the contact frame: n at the end, n_u at the start of the step, B the pose of body B.
ecp_vec3 ecp_contact_tangent(const ecp_contact *contact, ecp_vec3 n, ecp_vec3 n_u, ecp_quat B);
/// Kind (1 point, 2 line, 3 surface; 0 none) of the set of points of the shape within tol of the
/// plane, the distance of a from its border, and the facets that contain all of it.
int ecp_touching_set(const ecp_shape *shape, const ecp_state *state, ecp_world_plane plane,
                     ecp_real tol, ecp_vec3 a, ecp_real *edge, int *facets);

#endif
