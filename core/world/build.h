// build.h - from a body and its contacts to a nondimensional island.  Layer: world.
#ifndef ECP_WORLD_BUILD_H
#define ECP_WORLD_BUILD_H

#include "contact/island.h"
#include "world/body.h"
#include "world/geometry.h"

/// Scales of an island.
typedef struct ecp_scale {
    ecp_real h, L, U, m;
} ecp_scale;

/// One body, its contacts and what the solve needs of them.
typedef struct ecp_case {
    ecp_world *world;
    int body;
    ecp_free_motion motion;
    ecp_scale scale;
    bool in[ECP_MAX_CONTACTS];      ///< contacts of this solve
    bool reached;                   ///< the free motion violates one
    bool loose;                     ///< gaps need only be right to the slack of rates
    bool rim;                       ///< tilted discs as rim points
    bool inside;                    ///< a contact of this solve begins deeper than rounding
    ecp_real recovery;              ///< speed at which depth is to shrink, m/s
    ecp_carry carry;                ///< of the body after the step
    int16_t extra[ECP_MAX_CONTACTS];  ///< a vertex found violated, -1: none
} ecp_case;

/// Impulses held by a warm start; whatever its memory holds, a count within its arrays.
static inline int ecp_warm_count(const ecp_warm *w)
{
    return w->count < ECP_MAX_GENERATORS ? w->count : ECP_MAX_GENERATORS;
}

/// Free motion, scales, and which contacts matter. False: not finite.
bool ecp_case_open(ecp_case *c, ecp_world *world, int body, ecp_real h, bool first);
/// Fill the island from the contacts in the case.
void ecp_case_build(const ecp_case *c, ecp_island *island);
/// Gap of contact k at the start of the substep.
ecp_real ecp_case_start_gap(const ecp_case *c, int contact);
/// Least gap that contact k may end with: 0, or the depth left to recover.
ecp_real ecp_case_gap_target(const ecp_case *c, int contact);
/// Half-space of contact k at the end of the substep.
ecp_world_plane ecp_case_end_plane(const ecp_case *c, int contact);

#endif
