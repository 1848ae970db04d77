// build.h - from the bodies and contacts of an island to its nondimensional equations.  Layer: world.
#ifndef ECP_WORLD_BUILD_H
#define ECP_WORLD_BUILD_H

#include "contact/island.h"
#include "world/substep.h"

_Static_assert(sizeof(ecp_island) + 6 * ECP_ISLAND_UNKNOWNS * sizeof(ecp_real) <=
                   sizeof(((ecp_world *)0)->work),
               "the work area of ecp_world is too small for an island");

/// Scales of an island: step, length, speed, mass.
typedef struct ecp_scale {
    ecp_real h, L, U, m;
} ecp_scale;

/// One island of a substep and how it is to be solved.
typedef struct ecp_case {
    ecp_substep *sub;
    int root;
    ecp_scale scale;
    bool reached;       ///< the free motion violates a contact
    bool loose;         ///< gaps need only be right to the slack of rates
    bool rim;           ///< tilted discs as rim points
    bool inside;        ///< a contact of this solve begins deeper than rounding
    bool hold;          ///< depth is kept, not recovered
} ecp_case;

/// Impulses held by a warm start; whatever its memory holds, a count within its arrays.
static inline int ecp_warm_count(const ecp_warm *w)
{
    return w->count < ECP_MAX_GENERATORS ? w->count : ECP_MAX_GENERATORS;
}

static inline ecp_island *ecp_case_island(const ecp_case *c)
{
    return (ecp_island *)(void *)c->sub->world->work.reals;
}
/// Unknowns z, followed by the memory of the Newton loop.
static inline ecp_real *ecp_case_vectors(const ecp_case *c)
{
    return (ecp_real *)(void *)((unsigned char *)c->sub->world->work.reals + sizeof(ecp_island));
}
/// Is contact k part of the solve of this island?
bool ecp_case_in(const ecp_case *c, int contact);
/// Does contact k touch a moving body of this island, solved or not?
bool ecp_case_of(const ecp_case *c, int contact);
/// Scales, and whether there is anything to solve.
void ecp_case_open(ecp_case *c, ecp_substep *sub, int root);
/// Fill the island from the contacts in the case.
void ecp_case_build(const ecp_case *c);
/// Least gap that contact k may end with: 0, or the depth left to recover.
ecp_real ecp_case_gap_target(const ecp_case *c, int contact);
/// Radius by which gaps of contact k are judged: of its smaller dynamic body.
ecp_real ecp_case_radius(const ecp_substep *sub, int contact);

#endif
