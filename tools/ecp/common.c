#include "commands.h"

#include <stdio.h>
#include <stdlib.h>

int usage_error(const char *command, const char *wrong, const char *word, const char *expected)
{
    fprintf(stderr, "ecp %s: %s%s%s%s; expected %s\n", command, wrong, word ? " '" : "",
            word ? word : "", word ? "'" : "", expected);
    return EXIT_USAGE;
}

bool open_scenario(scenario *s, ecp_world **world, const char *file)
{
    fault why;
    *world = NULL;
    if (!scenario_load(s, file, &why)) {
        fault_print(&why, file);
        return false;
    }
    *world = calloc(1u, sizeof **world);
    if (!*world) {
        abort();
    }
    if (!scenario_build(s, *world, &why)) {
        fault_print(&why, file);
        close_scenario(s, *world);
        return false;
    }
    return true;
}

void close_scenario(scenario *s, ecp_world *world)
{
    scenario_free(s);
    free(world);
}
