// ecp - the host command of ecpredict.
#include "commands.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "ecp - predicts how rigid bodies move while they touch\n"
    "\n"
    "usage: ecp COMMAND ...\n"
    "  run FILE [--csv OUT|-] [--compare OTHER.csv] [--hash] [--steps N] [--quiet] [--json]\n"
    "                         run a scenario\n"
    "  check FILE             read a scenario and say whether it can run\n"
    "  init NAME              write NAME.toml, a commented scenario to start from\n"
    "  demo DIR --out OUTDIR  run every scenario of a folder and print one table\n"
    "  gen FILE -o OUT.c [--name NAME] [--hash]\n"
    "                         write the scenario as constant C data for a target\n"
    "  soak [--seed S] [--trials N] [--steps K] [--first T] [--json]\n"
    "                         random worlds, every step checked\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 the run failed or a check did not hold, 2 bad usage or bad input "
    "file.\n"
    "Not in this version: bench, hil.\n";

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv); // NULL: not in this version
} command;

static const command commands[] = {
    { "run", cmd_run }, { "check", cmd_check }, { "init", cmd_init }, { "demo", cmd_demo },
    { "gen", cmd_gen }, { "bench", NULL },      { "soak", cmd_soak },     { "hil", NULL },
};

static int dispatch(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) {
            continue;
        }
        if (!commands[i].run) {
            return usage_error(argv[1], "not in this version", NULL, "run, check, init, demo, gen or soak");
        }
        return commands[i].run(argc - 2, argv + 2);
    }
    fprintf(stderr, "ecp: unknown command '%s'; expected one that ecp --help lists\n", argv[1]);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("ecp %s (profile %s, %d-bit reals)\n", ecp_version(), ECP_PROFILE_NAME,
               ECP_REAL_BITS);
        return EXIT_DONE;
    }
    int status = dispatch(argc, argv);
    // a full disk or a closed pipe behind stdout is a failure too
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_DONE) {
        fputs("ecp: stdout cannot be written; expected room for the output\n", stderr);
        status = EXIT_FAILED;
    }
    return status;
}
