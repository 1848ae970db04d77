// loads.h - wrenches and impulses of a scenario, step by step.
#ifndef ECP_TOOL_LOADS_H
#define ECP_TOOL_LOADS_H

#include "scenario.h"

/// sin and cos of 2 pi turns, within 1e-15. From + - * and conversions to whole numbers only, so
/// the same bits on every machine. |turns| >= 2^52 counts as a whole number of turns.
void load_sincos(double turns, double *sine, double *cosine);

/// Force and torque of all wrenches on a body in step k, before conversion to ecp_real.
void load_wrench(const scenario *s, int body, long k, double out[6]);
/// True if the impulse acts in step k, which starts in the given state of its body.
bool load_impulse_acts(const scenario_impulse *impulse, long k, const ecp_state *state);

/// Set the loads of step k. A negative status: a load was refused, ecp_error says why.
ecp_status loads_apply(const scenario *s, ecp_world *world, long k);

#endif
