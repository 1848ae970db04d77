// accept.h - does the end of a substep keep what the model asks, on all contacts?  Layer: world.
#ifndef ECP_WORLD_ACCEPT_H
#define ECP_WORLD_ACCEPT_H

#include "world/build.h"

/// Every contact of the island with its end states, also those left out, but those with other moving
/// bodies: above its target, or, for the fallback, no deeper than at the start. Violated ones are noted
/// in the substep for the next solve.
bool ecp_accept(ecp_case *c, bool fallback);
/// Contacts between bodies of different islands at the end states; violated ones are noted. False: some.
bool ecp_accept_between(ecp_substep *sub);

#endif
