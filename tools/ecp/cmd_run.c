// ecp run FILE: run a scenario, write its trajectory, say how it went.
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "json.h"
#include "report.h"
#include "run.h"
#include "suggest.h"
#include "trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: ecp run FILE [options]\n"
    "  --csv OUT|-          write the trajectory; - is stdout, which then holds nothing else\n"
    "  --report OUT.html    write one page with a replay, plots and the summary\n"
    "  --compare OTHER.csv  largest differences from another trajectory; exit 1 above the "
    "tolerance;\n"
    "                       it needs a column t and whatever columns it has, and is drawn into the "
    "report\n"
    "  --tolerance T        of --compare, default 1e-8\n"
    "  --hash               print the hash of all states\n"
    "  --steps N            number of steps, in place of the scenario's duration\n"
    "  --json               print the summary as one JSON object\n"
    "  --quiet              print no summary\n";

typedef struct arguments {
    const char *file, *csv, *compare, *report;
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
    if (!value) {
        return usage_error("run", "a value is missing after", word, "one");
    }
    if (i == 0) {
        a->csv = value;
    } else if (i == 1) {
        a->compare = value;
    } else if (i == 4) {
        a->report = value;
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
    if (a->report && strcmp(a->report, "-") == 0) {
        return usage_error("run", "a report on stdout", NULL, "a file after --report");
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

static const char *const group_names[CSV_GROUPS] = { "time",   "counts", "residual", "pose",
                                                     "velocity", "energy", "gap",      "ECP",
                                                     "impulse",  "slip" };

// the comparison holds if every group of numbers that the model determines is within the tolerance
static bool within(const arguments *a, const comparison *c, int group)
{
    return group == CSV_COUNT || group == CSV_SOLVER || c->worst[group].difference <= a->tolerance;
}

static bool comparison_holds(const arguments *a, const comparison *c)
{
    bool holds = c->columns > 0 && c->rows > 0 && c->missed == 0;
    for (int g = 0; g < CSV_GROUPS; g++) {
        holds = holds && within(a, c, g);
    }
    return holds;
}

static void print_comparison(FILE *out, const arguments *a, const comparison *c)
{
    fprintf(out, "compared with %s: %d common columns, %ld rows", a->compare, c->columns, c->rows);
    fprintf(out, c->between ? ", %ld of them interpolated\n" : "\n", c->between);
    for (int g = 0; g < CSV_GROUPS; g++) {
        const comparison_worst *w = &c->worst[g];
        const bool judged = g != CSV_COUNT && g != CSV_SOLVER;
        if (g == CSV_TIME) {
            continue;
        }
        fprintf(out, "  %-9s %.3g%s", group_names[g], w->difference, judged ? "" : " (not judged)");
        if (w->column && w->difference > 0.0) {
            fprintf(out, " at t = %g s in %s: %.9g, other %.9g%s", w->at, w->column, w->here,
                    w->there, within(a, c, g) ? "" : ", above the tolerance");
        }
        fputc('\n', out);
    }
}

static void print_json_comparison(FILE *out, const arguments *a, const comparison *c)
{
    fputs(", \"compare\": {\"file\": ", out);
    json_string(out, a->compare);
    fprintf(out, ", \"columns\": %d, \"rows\": %ld, \"interpolated\": %ld, \"missed\": %ld",
            c->columns, c->rows, c->between, c->missed);
    fprintf(out, ", \"holds\": %s", comparison_holds(a, c) ? "true" : "false");
    for (int g = 0; g < CSV_GROUPS; g++) {
        const comparison_worst *w = &c->worst[g];
        if (w->column && isfinite(w->difference)) {
            fprintf(out, ", \"%s\": {\"difference\": %.9g, \"t\": %.9g, \"column\": \"%s\"}",
                    group_names[g], w->difference, w->at, w->column);
        }
    }
    fputc('}', out);
}

static void print_json(FILE *out, const arguments *a, const scenario *s, const run_result *r,
                       const comparison *c)
{
    fputs("{\"title\": ", out);
    json_string(out, s->title);
    fputs(", \"file\": ", out);
    json_string(out, a->file);
    fprintf(out,
            ", \"h\": %.17g, \"steps\": %ld, \"ok\": %ld, \"substepped\": %ld, \"degraded\": %ld",
            s->h, r->steps, r->ok, r->substepped, r->degraded);
    fprintf(out, ", \"iterations_median\": %d, \"iterations_max\": %d", r->iterations_median,
            r->iterations_max);
    fprintf(out, ", \"gap_min\": %.17g, \"residual_final\": %.17g, \"residual_max\": %.17g",
            r->worst_gap, r->final_residual, r->worst_residual);
    fprintf(out, ", \"status\": \"%s\", \"hash\": \"%016" PRIx64 "\"",
            ecp_status_name(r->status), r->hash);
    if (c) {
        print_json_comparison(out, a, c);
    }
    fputs("}\n", out);
}

// ---------------------------------------------------------------------------------------------
// running

typedef struct outputs {
    FILE *csv, *report; // NULL: none
    const csv_table *other;
    comparison compared;
    trace run;
} outputs;

static void keep_row(void *context, const scenario *s, const ecp_world *world,
                     const ecp_report *report, const double *csv, long k)
{
    trace_offer(context, s, world, report, csv, k);
}

static int judge(const arguments *a, const comparison *c)
{
    FILE *out = a->csv && strcmp(a->csv, "-") == 0 ? stderr : stdout;
    if (!a->json) {
        print_comparison(out, a, c);
    }
    if (c->missed) {
        fprintf(stderr, "%s:1: %ld rows of the run are at times it does not cover; expected all of "
                        "the run\n",
                a->compare, c->missed);
    }
    return comparison_holds(a, c) ? EXIT_DONE : EXIT_FAILED;
}

static void report_results(const arguments *a, const scenario *s, const run_result *r,
                           const comparison *c)
{
    const bool csv_on_stdout = a->csv && strcmp(a->csv, "-") == 0;
    if (a->json) {
        print_json(csv_on_stdout ? stderr : stdout, a, s, r, c);
    } else if (!a->quiet && !csv_on_stdout) {
        print_summary(stdout, a, s, r);
    }
    if (a->hash) {
        fprintf(csv_on_stdout ? stderr : stdout, "hash: %016" PRIx64 "\n", r->hash);
    }
}

static int check_written(FILE *out, const char *path)
{
    if (out && (fflush(out) != 0 || ferror(out))) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected room for it\n", path,
                strerror(errno));
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int write_report(const arguments *a, const scenario *s, const run_result *r, outputs *o)
{
    const report_source source = { s, a->file, &o->run, r, o->other, a->compare };
    report_write(o->report, &source);
    return check_written(o->report, a->report);
}

static int run_opened(const arguments *a, const scenario *s, ecp_world *world, outputs *o)
{
    const run_options options = { .csv = o->csv,
                                  .steps = a->steps,
                                  .progress = isatty(STDERR_FILENO) != 0 && !a->quiet,
                                  .comparison = o->other ? &o->compared : NULL,
                                  .watch = o->report ? keep_row : NULL,
                                  .context = &o->run };
    run_result result;
    const bool ok = run_scenario(&result, s, world, &options);
    int status = check_written(o->csv, a->csv);
    if (!ok) {
        fprintf(
            stderr,
            "%s:1: step %ld at t = %g s was refused: %s%s%s; expected a step that can be taken\n",
            a->file, result.steps, (double)result.steps * s->h, ecp_status_name(result.status),
            result.error[0] ? ", " : "", result.error);
        status = EXIT_FAILED;
    }
    report_results(a, s, &result, o->other ? &o->compared : NULL);
    if (o->other && judge(a, &o->compared) != EXIT_DONE) {
        status = EXIT_FAILED;
    }
    if (o->report && write_report(a, s, &result, o) != EXIT_DONE) {
        status = EXIT_FAILED;
    }
    return status;
}

// false: the file cannot be opened, and that was said
static bool open_output(FILE **out, const char *path, const char *what)
{
    *out = path ? strcmp(path, "-") == 0 ? stdout : fopen(path, "wb") : NULL;
    if (path && !*out) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected a place for the %s\n", path,
                strerror(errno), what);
    }
    return !path || *out;
}

static int run_with_output(const arguments *a, const scenario *s, ecp_world *world, outputs *o)
{
    int status = EXIT_USAGE;
    if (open_output(&o->csv, a->csv, "CSV") && open_output(&o->report, a->report, "report")) {
        trace_start(&o->run, s);
        status = run_opened(a, s, world, o);
        trace_free(&o->run);
    }
    FILE *const files[] = { o->csv, o->report };
    for (int i = 0; i < 2; i++) {
        if (files[i] && files[i] != stdout && fclose(files[i]) != 0 && status == EXIT_DONE) {
            status = EXIT_FAILED;
        }
    }
    return status;
}

// false: the other trajectory cannot be used, and that was said
static bool open_other(const arguments *a, const scenario *s, csv_table *other, outputs *o)
{
    fault why;
    csv_layout layout;
    if (!a->compare) {
        return true;
    }
    bool ok = csv_read(other, a->compare, &why);
    if (ok) {
        csv_layout_make(&layout, s);
        ok = comparison_start(&o->compared, other, &layout, s->h, &why);
        csv_layout_free(&layout);
        o->other = other;
    }
    if (!ok) {
        fault_print(&why, a->compare);
    }
    return ok;
}

int cmd_run(int argc, char **argv)
{
    arguments a;
    scenario s;
    ecp_world *world;
    csv_table other = { 0 };
    outputs o = { 0 };
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
    if (open_other(&a, &s, &other, &o)) {
        status = run_with_output(&a, &s, world, &o);
    }
    comparison_end(&o.compared);
    csv_free(&other);
    close_scenario(&s, world);
    return status;
}
