// ecp run FILE: run a scenario, write its trajectory, say how it went.
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "run.h"
#include "suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: ecp run FILE [options]\n"
    "  --csv OUT|-          write the trajectory; - is stdout, which then holds nothing else\n"
    "  --compare OTHER.csv  largest differences from another trajectory; exit 1 above the "
    "tolerance\n"
    "  --tolerance T        of --compare, default 1e-8\n"
    "  --hash               print the hash of all states\n"
    "  --steps N            number of steps, in place of the scenario's duration\n"
    "  --json               print the summary as one JSON object\n"
    "  --quiet              print no summary\n";

typedef struct arguments {
    const char *file, *csv, *compare;
    double tolerance;
    long steps;
    bool hash, json, quiet, help;
} arguments;

// ---------------------------------------------------------------------------------------------
// arguments

static bool parse_steps(const char *text, long *steps)
{
    char *end;
    errno = 0;
    *steps = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *steps >= 0 && *steps <= SCENARIO_MAX_STEPS;
}

static bool parse_tolerance(const char *text, double *tolerance)
{
    char *end;
    *tolerance = strtod(text, &end);
    return end != text && *end == '\0' && *tolerance >= 0.0 && isfinite(*tolerance);
}

#define FLAGS  4
#define VALUED 5
static const char *const flags[FLAGS] = { "--hash", "--json", "--quiet", "--help" };
static const char *const valued_options[VALUED] = { "--csv", "--compare", "--steps", "--tolerance",
                                                    "--report" };

static int unknown_option(const char *word)
{
    char expected[128];
    suggestion near = suggest(word);
    for (int i = 0; i < FLAGS; i++) {
        suggest_offer(&near, flags[i]);
    }
    for (int i = 0; i < VALUED; i++) {
        suggest_offer(&near, valued_options[i]);
    }
    (void)snprintf(expected, sizeof expected, "one that ecp run --help lists%s",
                   suggest_text(&near));
    return usage_error("run", "unknown option", word, expected);
}

static bool flag(arguments *a, const char *word)
{
    bool *const targets[] = { &a->hash, &a->json, &a->quiet, &a->help };
    for (int i = 0; i < FLAGS; i++) {
        if (strcmp(word, flags[i]) == 0) {
            *targets[i] = true;
            return true;
        }
    }
    return false;
}

// an option with a value: 0 done, 2 wrong, -1 not such an option
static int valued(arguments *a, const char *word, const char *value)
{
    int i = 0;
    while (i < VALUED && strcmp(word, valued_options[i]) != 0) {
        i++;
    }
    if (i == VALUED) {
        return -1;
    }
    if (i == 4) {
        return usage_error("run", "--report is not available in this version yet", NULL,
                           "--csv OUT");
    }
    if (!value) {
        return usage_error("run", "a value is missing after", word, "one");
    }
    if (i == 0) {
        a->csv = value;
    } else if (i == 1) {
        a->compare = value;
    } else if (i == 2 && !parse_steps(value, &a->steps)) {
        return usage_error("run", "bad number of steps", value,
                           "a whole number from 0 to 1000000000");
    } else if (i == 3 && !parse_tolerance(value, &a->tolerance)) {
        return usage_error("run", "bad tolerance", value, "a number, 0 or more");
    }
    return EXIT_DONE;
}

static int parse(arguments *a, int argc, char **argv)
{
    *a = (arguments){ .tolerance = 1e-8, .steps = -1 };
    for (int i = 0; i < argc; i++) {
        if (flag(a, argv[i])) {
            continue;
        }
        const int status = valued(a, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
        if (status == EXIT_USAGE) {
            return status;
        }
        if (status == EXIT_DONE) {
            i++;
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return unknown_option(argv[i]);
        } else if (a->file) {
            return usage_error("run", "a second file", argv[i], "one");
        } else {
            a->file = argv[i];
        }
    }
    if (!a->file && !a->help) {
        return usage_error("run", "no file", NULL, "ecp run FILE");
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// what is printed

static void print_summary(FILE *out, const arguments *a, const scenario *s, const run_result *r)
{
    fprintf(out, "%s\n", s->title[0] ? s->title : a->file);
    fprintf(out, "  steps        %ld of %g s (%ld ok, %ld substepped, %ld degraded)\n", r->steps,
            s->h, r->ok, r->substepped, r->degraded);
    fprintf(out, "  iterations   median %d, max %d\n", r->iterations_median, r->iterations_max);
    fprintf(out, "  penetration  %.3g m at worst\n", r->worst_gap < 0.0 ? -r->worst_gap : 0.0);
    fprintf(out, "  residual     %.3g at the end, %.3g at worst\n", r->final_residual,
            r->worst_residual);
}

static void print_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            fprintf(out, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20u) {
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        } else {
            fputc(*text, out);
        }
    }
    fputc('"', out);
}

static void print_json(FILE *out, const arguments *a, const scenario *s, const run_result *r)
{
    fputs("{\"title\": ", out);
    print_json_string(out, s->title);
    fputs(", \"file\": ", out);
    print_json_string(out, a->file);
    fprintf(out,
            ", \"h\": %.17g, \"steps\": %ld, \"ok\": %ld, \"substepped\": %ld, \"degraded\": %ld",
            s->h, r->steps, r->ok, r->substepped, r->degraded);
    fprintf(out, ", \"iterations_median\": %d, \"iterations_max\": %d", r->iterations_median,
            r->iterations_max);
    fprintf(out, ", \"gap_min\": %.17g, \"residual_final\": %.17g, \"residual_max\": %.17g",
            r->worst_gap, r->final_residual, r->worst_residual);
    fprintf(out, ", \"status\": \"%s\", \"hash\": \"%016" PRIx64 "\"}\n",
            ecp_status_name(r->status), r->hash);
}

// the comparison holds if every group of numbers that the model determines is within the tolerance
static bool print_comparison(FILE *out, const arguments *a, const run_comparison *c)
{
    static const char *const names[CSV_GROUPS] = { "time",     "counts", "residual", "pose",
                                                   "velocity", "energy", "gap",      "ECP",
                                                   "impulse",  "slip" };
    bool holds = c->columns > 0 && c->rows > 0;
    fprintf(out, "compared with %s: %d common columns, %ld rows\n", a->compare, c->columns,
            c->rows);
    for (int g = 0; g < CSV_GROUPS; g++) {
        const bool judged = g != CSV_COUNT && g != CSV_SOLVER;
        const bool within = c->largest[g] <= a->tolerance;
        holds = holds && (within || !judged);
        fprintf(out, "  %-9s %.3g%s", names[g], c->largest[g], judged ? "" : " (not judged)");
        if (c->largest[g] > 0.0) {
            fprintf(out, " at t = %g s%s", c->at[g],
                    judged && !within ? ", above the tolerance" : "");
        }
        fputc('\n', out);
    }
    return holds;
}

// ---------------------------------------------------------------------------------------------
// running

static int judge(const arguments *a, const run_result *r, const run_comparison *c)
{
    FILE *out = a->csv && strcmp(a->csv, "-") == 0 ? stderr : stdout;
    const bool holds = print_comparison(out, a, c);
    if (c->other->rows != r->steps + 1) {
        fprintf(stderr, "%s:1: %ld rows; expected %ld, as many as the run has\n", a->compare,
                c->other->rows, r->steps + 1);
        return EXIT_FAILED;
    }
    return holds ? EXIT_DONE : EXIT_FAILED;
}

static void report_results(const arguments *a, const scenario *s, const run_result *r)
{
    const bool csv_on_stdout = a->csv && strcmp(a->csv, "-") == 0;
    if (a->json) {
        print_json(csv_on_stdout ? stderr : stdout, a, s, r);
    } else if (!a->quiet && !csv_on_stdout) {
        print_summary(stdout, a, s, r);
    }
    if (a->hash) {
        fprintf(csv_on_stdout ? stderr : stdout, "hash: %016" PRIx64 "\n", r->hash);
    }
}

static int run_opened(const arguments *a, const scenario *s, ecp_world *world, FILE *csv,
                      const csv_table *other)
{
    run_comparison comparison = { .other = other };
    const run_options options = { .csv = csv,
                                  .steps = a->steps,
                                  .progress = isatty(STDERR_FILENO) != 0 && !a->quiet,
                                  .comparison = other ? &comparison : NULL };
    run_result result;
    int status = EXIT_DONE;
    const bool ok = run_scenario(&result, s, world, &options);
    if (csv && (fflush(csv) != 0 || ferror(csv))) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected room for it\n", a->csv,
                strerror(errno));
        status = EXIT_FAILED;
    }
    if (!ok) {
        fprintf(
            stderr,
            "%s:1: step %ld at t = %g s was refused: %s%s%s; expected a step that can be taken\n",
            a->file, result.steps, (double)result.steps * s->h, ecp_status_name(result.status),
            result.error[0] ? ", " : "", result.error);
        status = EXIT_FAILED;
    }
    report_results(a, s, &result);
    if (other && judge(a, &result, &comparison) != EXIT_DONE) {
        status = EXIT_FAILED;
    }
    return status;
}

static int run_with_output(const arguments *a, const scenario *s, ecp_world *world,
                           const csv_table *other)
{
    if (!a->csv || strcmp(a->csv, "-") == 0) {
        return run_opened(a, s, world, a->csv ? stdout : NULL, other);
    }
    FILE *csv = fopen(a->csv, "wb");
    if (!csv) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected a place for the CSV\n",
                a->csv, strerror(errno));
        return EXIT_USAGE;
    }
    int status = run_opened(a, s, world, csv, other);
    if (fclose(csv) != 0) {
        status = EXIT_FAILED;
    }
    return status;
}

int cmd_run(int argc, char **argv)
{
    arguments a;
    scenario s;
    ecp_world *world;
    csv_table other = { 0 };
    fault why;
    if (parse(&a, argc, argv) != EXIT_DONE) {
        return EXIT_USAGE;
    }
    if (a.help) {
        fputs(usage, stdout);
        return EXIT_DONE;
    }
    if (!open_scenario(&s, &world, a.file)) {
        return EXIT_USAGE;
    }
    int status = EXIT_USAGE;
    // read before the CSV is opened for writing: the two may be one file
    if (a.compare && !csv_read(&other, a.compare, &why)) {
        fault_print(&why, a.compare);
    } else {
        status = run_with_output(&a, &s, world, a.compare ? &other : NULL);
    }
    csv_free(&other);
    close_scenario(&s, world);
    return status;
}
