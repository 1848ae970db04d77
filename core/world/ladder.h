// ladder.h - rungs of the solve of one island.  Layer: world.
#ifndef ECP_WORLD_LADDER_H
#define ECP_WORLD_LADDER_H

#include "solve/newton.h"
#include "world/build.h"

/// how deep a gap may end: rounding of the acceptance test, in radii
#define ECP_GAP_SLACK (ECP_REAL_BITS == 32 ? ECP_R(1.5e-5) : ECP_R(1e-9))
/// the same after a solve of rates
#define ECP_RATES_SLACK (ECP_REAL_BITS == 32 ? ECP_R(1.8e-5) : ECP_R(9e-9))
/// the same for the fallback, whose leftovers the next step must be able to snap
#define ECP_FALLBACK_SLACK (ECP_REAL_BITS == 32 ? ECP_R(2e-6) : ECP_R(1e-12))

/// Solve the island by the rungs of the present pass; end states and results are left in the substep and
/// the world. False: no rung converged to something valid.
bool ecp_ladder_solve(ecp_case *c, ecp_progress *progress);
/// Impulses of rates, or, where none were found, of sweeps at the start pose; false: the latter.
bool ecp_ladder_guess(ecp_case *c, ecp_progress *progress);
/// End states of the island's bodies for nondimensional velocities as they stand in the island.
void ecp_ladder_end(ecp_case *c);

#endif
