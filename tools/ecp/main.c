// ecp - the host command of ecpredict.
#include "commands.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "ecp - predicts how rigid bodies move while they touch\n"
    "\n"
    "usage: ecp COMMAND ...\n"
    "  run FILE [--csv OUT|-] [--report OUT.html] [--compare OTHER.csv] [--hash] [--steps N]\n"
    "      [--quiet] [--json]\n"
    "                         run a scenario\n"
    "  check FILE             read a scenario and say whether it can run\n"
    "  init NAME              write NAME.toml, a commented scenario to start from\n"
    "  demo DIR --out OUTDIR  run every scenario of a folder and print one table\n"
    "  gen FILE -o OUT.c [--name NAME] [--hash]\n"
    "                         write the scenario as constant C data for a target\n"
    "  gen FILE --fmu OUT.fmu write it as a functional mock-up unit for co-simulation\n"
    "  bench [--json] [--repeats N] [FILE...]\n"
    "                         time and iterations of the built-in scenarios, or of files\n"
    "  soak [--seed S] [--trials N] [--steps K] [--first T] [--json]\n"
    "                         random worlds, every step checked\n"
    "  help COMMAND           what a command does and all its options\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 the run failed or a check did not hold, 2 bad usage or bad input "
    "file.\n"
    "Not in this version: hil.\n";

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv); // NULL: not in this version
} command;

static const command commands[] = {
    { "run", cmd_run }, { "check", cmd_check }, { "init", cmd_init }, { "demo", cmd_demo },
    { "gen", cmd_gen }, { "bench", cmd_bench }, { "soak", cmd_soak },     { "hil", NULL },
};

// the command of the first word with the words behind it
static int dispatch(int argc, char **argv)
{
    suggestion near = suggest(argv[0]);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        suggest_offer(&near, commands[i].name);
        if (strcmp(argv[0], commands[i].name) != 0) {
            continue;
        }
        if (!commands[i].run) {
            return usage_error(argv[0], "not in this version", NULL, "run, check, init, demo, gen, bench or soak");
        }
        return commands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "ecp: unknown command '%s'; expected one that ecp --help lists%s\n", argv[0],
            suggest_text(&near));
    return EXIT_USAGE;
}

// `ecp help COMMAND` is `ecp COMMAND --help`
static int show_help(int argc, char **argv)
{
    static char option[] = "--help";
    if (argc == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc > 1) {
        return usage_error("help", "a second command", argv[1], "ecp help COMMAND");
    }
    char *words[] = { argv[0], option, NULL };
    return dispatch(2, words);
}

static int run_words(int argc, char **argv)
{
    const char *word = argv[0];
    if (strcmp(word, "--version") == 0 && argc == 1) {
        printf("ecp %s (profile %s, %d-bit reals)\n", ecp_version(), ECP_PROFILE_NAME,
               ECP_REAL_BITS);
        return EXIT_DONE;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return show_help(argc - 1, argv + 1);
    }
    if (argc == 2 && strcmp(argv[1], "-h") == 0) {
        return show_help(1, argv);
    }
    return dispatch(argc, argv);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_USAGE;
    }
    int status = run_words(argc - 1, argv + 1);
    // a full disk or a closed pipe behind stdout is a failure too
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == EXIT_DONE) {
        fputs("ecp: stdout cannot be written; expected room for the output\n", stderr);
        status = EXIT_FAILED;
    }
    return status;
}
