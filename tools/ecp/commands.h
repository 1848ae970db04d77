// commands.h - the commands of `ecp`, each with the words behind its name; they return exit status.
#ifndef ECP_TOOL_COMMANDS_H
#define ECP_TOOL_COMMANDS_H

#include "scenario.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

int cmd_run(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_init(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_soak(int argc, char **argv);

/// "ecp COMMAND: what is wrong; what was expected" on stderr; returns EXIT_USAGE.
int usage_error(const char *command, const char *wrong, const char *word, const char *expected);

/// Load a file and build its world. False: the error was printed, nothing is held.
bool open_scenario(scenario *s, ecp_world **world, const char *file);
void close_scenario(scenario *s, ecp_world *world);

#endif
