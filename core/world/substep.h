// substep.h - what one substep knows of bodies and contacts, shared by its stages.  Layer: world.
#ifndef ECP_WORLD_SUBSTEP_H
#define ECP_WORLD_SUBSTEP_H

#include "world/body.h"
#include "world/geometry.h"

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

/// A contact in one substep: incident body I against reference body R.
typedef struct ecp_touch {
    int I, R;             ///< bodies of the world
    int facet;            ///< face of R; -1: a sphere
    bool half_space;
    bool in;              ///< part of the solve: within reach, or found violated
    int16_t extra;        ///< generator of I found violated, -1: none
    int16_t extra_side;   ///< facet of R found violated, -1: none
    ecp_real gap;         ///< at the start
    ecp_vec3 n;           ///< normal to start from, from R to I: that of the start, or what a solve showed
    ecp_vec3 n_u;         ///< normal at the start, of either sign: the tangents are chosen by it
    ecp_vec3 at;          ///< closest point of I at the start
} ecp_touch;

/// Whether a contact is one with a half-space; the code of all others goes where they are switched off.
static inline bool ecp_touch_flat(const ecp_touch *touch)
{
    return !ECP_WITH_PAIRS || touch->half_space;
}
static inline bool ecp_contact_flat(const ecp_world *world, const ecp_contact *contact)
{
    return !ECP_WITH_PAIRS || world->body[contact->a].shape->kind == ECP_SHAPE_HALFSPACE ||
           world->body[contact->b].shape->kind == ECP_SHAPE_HALFSPACE;
}

typedef struct ecp_substep {
    ecp_world *world;
    ecp_real h;
    ecp_free_motion motion[ECP_MAX_BODIES];  ///< of dynamic bodies
    ecp_state end[ECP_MAX_BODIES];
    ecp_carry carry[ECP_MAX_BODIES];
    int root[ECP_MAX_BODIES];                ///< least body of the island of a dynamic body; others -1
    ecp_touch touch[ECP_MAX_CONTACTS];
    ecp_real sum[ECP_MAX_CONTACTS][4];       ///< impulses of earlier substeps
} ecp_substep;

/// Free motion of all bodies and which contacts are within its reach. False: not finite.
bool ecp_substep_open(ecp_substep *sub, ecp_world *world, ecp_real h, bool first);
/// Bodies joined by contacts of the solve get the same root.
void ecp_substep_islands(ecp_substep *sub);
/// Solve all islands; the world gets the new states and results. fallback: use the safe fallback where
/// no rung converges. False: nothing valid was found, or there was no time left (states untouched).
bool ecp_substep_run(ecp_world *world, ecp_real h, bool first, bool fallback, ecp_progress *progress);

#endif
