// fallback.h - the bounded way out of an island that no rung solves.  Layer: world.
#ifndef ECP_WORLD_FALLBACK_H
#define ECP_WORLD_FALLBACK_H

#include "world/build.h"

/// A valid motion of the island that always ends: the largest part of a guessed one that does not
/// penetrate. False: not even no motion is valid (something is squeezed).                      [L2]
bool ecp_fallback_solve(ecp_case *c, ecp_progress *progress);

#endif
