// solve_body.h - one substep of one moving body: guess, Newton, ladder, accept.  Layer: world.
#ifndef ECP_WORLD_SOLVE_BODY_H
#define ECP_WORLD_SOLVE_BODY_H

#include "contact/island.h"
#include "world/body.h"

_Static_assert(sizeof(ecp_island) + 6 * ECP_ISLAND_UNKNOWNS * sizeof(ecp_real) <=
                   sizeof(((ecp_world *)0)->work),
               "the work area of ecp_world is too small for an island");

/// Parts of the ladder, tried in this order, each at the substeps that suit it.              [L1]
typedef enum ecp_pass { ECP_PASS_RIGID, ECP_PASS_RATES, ECP_PASS_LAST } ecp_pass;

/// Running account of a step.
typedef struct ecp_progress {
    int iterations;       ///< used so far, at most ECP_MAX_ITERATIONS
    ecp_real residual;    ///< worst
    bool degraded;
    ecp_pass pass;
    bool (*stop)(void *context);  ///< NULL, or true when there is no time left
    void *stop_context;
    bool stopped;         ///< it said so: the step is being left
} ecp_progress;

/// Ask whether there is time left; once it is over it stays over.
static inline bool ecp_out_of_time(ecp_progress *progress)
{
    if (!progress->stopped && progress->stop != NULL) {
        progress->stopped = progress->stop(progress->stop_context);
    }
    return progress->stopped;
}

/// Advance body i of the world by h, half-spaces moving with it; its state is replaced and the
/// results of its contacts are added to world->result. fallback: use the safe fallback when no rung
/// converges. False: nothing valid was found, or there was no time left (state untouched).
bool ecp_solve_body(ecp_world *world, int i, ecp_real h, bool first, bool fallback,
                    ecp_progress *progress);

#endif
