// body.h - one body through a step: inertia in world axes, free motion.  Layer: world.
#ifndef ECP_WORLD_BODY_H
#define ECP_WORLD_BODY_H

#include "math/quat.h"

/// What a step needs of a dynamic body besides its state.
typedef struct ecp_free_motion {
    ecp_vec3 v, w;    ///< velocities at the end of the step without contact
    ecp_vec3 dv;      ///< v minus the velocity at the start, before it was rounded
    ecp_vec3 minv;    ///< 1/m per world axis, 0 where locked
    ecp_mat3 Iinv;    ///< Z (Z^T I Z)^-1 Z^T, world axes, start of step
} ecp_free_motion;

/// Section [D1]: v_f, w_f with the linearly implicit gyroscopic term. first: impulses act.
bool ecp_body_free_motion(const ecp_body *body, ecp_vec3 gravity, ecp_real h, bool first,
                          ecp_free_motion *out);
/// Mass positive, inertia positive definite and within the triangle inequality.
bool ecp_body_mass_ok(ecp_real mass, const ecp_real inertia[6]);
/// Replace velocity and position of `end` by start + dv and start + h v, with what rounding took from
/// the sums of earlier steps given back: ten thousand small changes do not drift in float.     [D2]
/// Returns the carry of the next step.
ecp_carry ecp_body_carry(const ecp_body *body, ecp_vec3 dv, ecp_real h, ecp_state *end);
/// Set the velocities of locked axes to zero.
void ecp_body_lock(ecp_state *state, unsigned lock);

#endif
