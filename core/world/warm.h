// warm.h - impulses of the last step as the guess of the next, by feature.  Layer: world.
#ifndef ECP_WORLD_WARM_H
#define ECP_WORLD_WARM_H

#include "world/build.h"

/// Fill the impulses of z and the velocities they give; false when there are none or they are not usable.
bool ecp_warm_guess(const ecp_case *c, ecp_real *z);
void ecp_warm_keep(const ecp_case *c);

#endif
