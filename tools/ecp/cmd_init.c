// ecp init NAME: a commented scenario to start from.
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char template_text[] =
    "# A scenario of ecpredict. Units are SI; quaternions are w,x,y,z, body to world;\n"
    "# the origin of a body is its centre of mass. `ecp check FILE` tells what is wrong,\n"
    "# `ecp run FILE --csv out.csv` runs it.\n"
    "title = \"A box that slides to rest\"\n"
    "h = 0.01                  # step, s\n"
    "duration = 1.0            # s\n"
    "gravity = [0, 0, -9.81]   # m/s^2\n"
    "\n"
    "[[body]]\n"
    "name = \"floor\"\n"
    "kind = \"fixed\"            # fixed | kinematic (moves with the given velocity) | dynamic\n"
    "shape = \"halfspace\"       # free where normal . x >= offset\n"
    "normal = [0, 0, 1]\n"
    "\n"
    "[[body]]\n"
    "name = \"box\"\n"
    "kind = \"dynamic\"\n"
    "shape = \"box\"             # box size | sphere radius | ellipsoid radii | cylinder radius, "
    "length\n"
    "size = [0.4, 0.3, 0.2]    # | cone radius, height | hull points | facets planes\n"
    "mass = 2.0                # kg; inertia = [xx, yy, zz] is optional: uniform density without "
    "it\n"
    "position = [0, 0, 0.1]\n"
    "orientation = [1, 0, 0, 0]\n"
    "velocity = [1, 0, 0]      # m/s\n"
    "angular_velocity = [0, 0, 0.5]   # rad/s\n"
    "\n"
    "[[contact]]               # only bodies joined by a contact can touch\n"
    "bodies = [\"box\", \"floor\"]\n"
    "mu = 0.3                  # friction coefficient\n"
    "e = [1, 1, 0.1]           # friction ellipsoid: e_t, e_o (-), e_r (m)\n"
    "\n"
    "[[wrench]]                # force (N) and torque (N m) in steps with from <= t < to\n"
    "body = \"box\"\n"
    "from = 0.2\n"
    "to = 0.4\n"
    "force = [0, 1, 0]\n"
    "\n"
    "[[impulse]]               # N s and N m s in the step that starts at this time\n"
    "body = \"box\"\n"
    "at = 0.5\n"
    "torque = [0, 0, 0.01]\n";

static int write_file(const char *path)
{
    FILE *out = fopen(path, "wx"); // x: never overwrites
    if (!out) {
        fprintf(
            stderr,
            "%s:1: the file cannot be created (%s); expected a new name in a folder that exists\n",
            path, strerror(errno));
        return EXIT_USAGE;
    }
    const bool written = fputs(template_text, out) >= 0;
    if (fclose(out) != 0 || !written) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected room for it\n", path,
                strerror(errno));
        return EXIT_FAILED;
    }
    printf("%s: written; next: ecp run %s\n", path, path);
    return EXIT_DONE;
}

int cmd_init(int argc, char **argv)
{
    if (argc == 1 && strcmp(argv[0], "--help") == 0) {
        puts(
            "usage: ecp init NAME\nWrites NAME.toml, a commented scenario that runs. Never "
            "overwrites.");
        return EXIT_DONE;
    }
    if (argc != 1 || argv[0][0] == '-' || argv[0][0] == '\0') {
        return usage_error("init", "bad arguments", NULL, "ecp init NAME");
    }
    const size_t n = strlen(argv[0]);
    const bool suffixed = n > 5u && strcmp(argv[0] + n - 5u, ".toml") == 0;
    char *path = malloc(n + 6u);
    if (!path) {
        abort();
    }
    (void)snprintf(path, n + 6u, "%s%s", argv[0], suffixed ? "" : ".toml");
    const int status = write_file(path);
    free(path);
    return status;
}
