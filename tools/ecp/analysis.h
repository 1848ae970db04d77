// analysis.h - how far a run is from what can be computed by hand, for the scenarios where it can.
#ifndef ECP_TOOL_ANALYSIS_H
#define ECP_TOOL_ANALYSIS_H

#include "scenario.h"

/// Distance of the state after k steps from the solution by hand. start: energy of the first state.
typedef double analysis_error(const scenario *s, const ecp_world *world, double start, long k);

/// The function for a scenario of that name (file name without .toml), or NULL.
analysis_error *analysis_find(const char *name);

#endif
