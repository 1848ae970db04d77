// place.h - end-of-step geometry of a contact's generators.  Layer: contact.
#ifndef ECP_CONTACT_PLACE_H
#define ECP_CONTACT_PLACE_H

#include "contact/island.h"

/// End pose of one generator: r, E, Y = (gap - snap, tilts)/tau, G.
void ecp_place_point(const ecp_island *island, const ecp_patch *patch, ecp_point *point);
/// px and S from the impulses s of the patch.
void ecp_place_sums(ecp_patch *patch, const ecp_real *s);
/// ra, the ECP from the body origin, and the weights.
void ecp_place_ecp(ecp_patch *patch, const ecp_real *s);

#endif
