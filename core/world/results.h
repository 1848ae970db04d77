// results.h - impulses of a solved island into the results of the step.  Layer: world.
#ifndef ECP_WORLD_RESULTS_H
#define ECP_WORLD_RESULTS_H

#include "world/build.h"

void ecp_results_add(const ecp_case *c);
/// Contacts of the island that were not solved: open.
void ecp_results_open(const ecp_case *c);

#endif
