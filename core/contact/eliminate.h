// eliminate.h - the unknowns of one contact eliminated onto the velocities of its bodies.  Layer: contact.
#ifndef ECP_CONTACT_ELIMINATE_H
#define ECP_CONTACT_ELIMINATE_H

#include "contact/island.h"

/// T = Phi_s^-1 Phi_nu and W = d(wrench on I)/ds of a contact with unknowns s, with the factors for
/// ecp_eliminate_solve. K gets the derivative of the wrench on I by the 12 velocities after elimination.
/// False: a block is singular.
bool ecp_eliminate(const ecp_island *island, ecp_patch *patch, const ecp_real *s, ecp_real delta,
                   ecp_real K[6][ECP_CONTACT_COLUMNS]);
/// y = Phi_s^-1 F of one contact.
void ecp_eliminate_solve(const ecp_patch *patch, const ecp_real *F, ecp_real *y);

#endif
