// jacobian.h - derivatives of the rows of one contact by everything they depend on.  Layer: contact.
#ifndef ECP_CONTACT_JACOBIAN_H
#define ECP_CONTACT_JACOBIAN_H

#include "contact/island.h"

/// One direction in which geometry can change: a velocity of a body, or eta of a side.
typedef struct ecp_direction {
    bool reference;        ///< which body moves
    bool turns;            ///< the normal turns with it
    ecp_vec3 dv, dw;       ///< of that body
    ecp_vec3 dV;           ///< of the origin of I against that of R
    ecp_vec3 f_I, f_R;     ///< rotation vectors
    ecp_vec3 dN;
    int side;              ///< -1, or which eta
} ecp_direction;

/// What changes along it, impulses held.
typedef struct ecp_change {
    ecp_real Y[ECP_MAX_GENERATORS];      ///< gaps and tilts over tau, as the unknowns stand
    ecp_real slack[ECP_MAX_SIDES];
    ecp_real vhat[3];
    ecp_vec3 force, moment;              ///< on I, about its origin
} ecp_change;

/// Sums over the generators that all directions share: dS = GS f + HS dN, dra = Ga f + Ha dN.
typedef struct ecp_shares {
    ecp_mat3 GS, HS, Ga, Ha;
    ecp_vec3 dra[ECP_MAX_GENERATORS];  ///< ECP by the normal unknowns
} ecp_shares;

/// Once per factorisation.
void ecp_jacobian_open(const ecp_patch *patch, const ecp_real *s, ecp_shares *shares);
/// Direction j of 12: velocities and spins of I, then of R.
ecp_direction ecp_jacobian_motion(const ecp_island *island, const ecp_patch *patch, int j);
/// Direction of eta of side j.
ecp_direction ecp_jacobian_side(const ecp_patch *patch, int j);
void ecp_jacobian_change(const ecp_island *island, const ecp_patch *patch, const ecp_shares *shares,
                         const ecp_direction *direction, ecp_real pr_hat, ecp_change *out);

#endif
