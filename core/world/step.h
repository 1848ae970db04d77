// step.h - a step that can be told to stop.  Layer: world.
#ifndef ECP_WORLD_STEP_H
#define ECP_WORLD_STEP_H

#include "math/real.h"

/// ecp_step, but when stop (NULL: never) says true the step is left within one Newton iteration: the
/// world is as it was, report is not written, ECP_DEADLINE is returned.
ecp_status ecp_step_until(ecp_world *world, ecp_real h, ecp_report *report,
                          bool (*stop)(void *context),
                          void *context);

#endif
