// loads.h - from the loads of a scenario file to the constant data that host and target run.
#ifndef ECP_TOOL_LOADS_H
#define ECP_TOOL_LOADS_H

#include "scenario.h"

/// turns modulo 1 in units of 2^-64 turns; |turns| >= 2^52 counts as a whole number of turns.
uint64_t load_turn(double turns);

/// Fill s->scene from the rest of the scenario; its shapes stay those of s.
void loads_scene(scenario *s);
void loads_scene_free(scene_data *out);

/// Set the loads of step k. A negative status: a load was refused, ecp_error says why.
ecp_status loads_apply(const scenario *s, ecp_world *world, long k);

#endif
