// ecp check FILE: read a scenario, build its world, run nothing.
#include "commands.h"

#include <stdio.h>
#include <string.h>

int cmd_check(int argc, char **argv)
{
    scenario s;
    ecp_world *world;
    if (argc == 1 && strcmp(argv[0], "--help") == 0) {
        puts("usage: ecp check FILE\nReads a scenario and says whether it can run.");
        return EXIT_DONE;
    }
    if (argc != 1 || argv[0][0] == '-') {
        return usage_error("check", "bad arguments", NULL, "ecp check FILE");
    }
    if (!open_scenario(&s, &world, argv[0])) {
        return EXIT_USAGE;
    }
    printf("%s: ok, %d bodies, %d contacts, %ld steps of %g s\n", argv[0], s.body_count,
           s.contact_count, s.steps, s.h);
    close_scenario(&s, world);
    return EXIT_DONE;
}
