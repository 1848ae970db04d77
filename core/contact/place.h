// place.h - end-of-step geometry of a contact: normal, generators, ECP.  Layer: contact.
#ifndef ECP_CONTACT_PLACE_H
#define ECP_CONTACT_PLACE_H

#include "contact/island.h"

/// Normal, side planes, tangents and the distance of the origins at the present motion of the bodies.
void ecp_place_normal(const ecp_island *island, ecp_patch *patch, const ecp_real *eta);
/// End pose of generator k: r, E, y = (gap - snap)/tau, tilts, G, H; after the normal.
void ecp_place_point(const ecp_island *island, ecp_patch *patch, const ecp_real *eta, int k);
/// px and S from the impulses s of the patch.
void ecp_place_sums(ecp_patch *patch, const ecp_real *s);
/// ra and rb, the ECP from the origins of both bodies, and the weights.
void ecp_place_ecp(ecp_patch *patch, const ecp_real *s);

#endif
