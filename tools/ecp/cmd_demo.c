// ecp demo DIR --out OUTDIR: every scenario of a folder, one table of figures.
#define _POSIX_C_SOURCE 200809L
#include "analysis.h"
#include "commands.h"
#include "demo_page.h"
#include "report.h"
#include "run.h"
#include "trace.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct name_list {
    int count;
    char **names; // without .toml
} name_list;

static char *format_path(const char *folder, const char *name, const char *suffix)
{
    const size_t room = strlen(folder) + strlen(name) + strlen(suffix) + 2u;
    char *path = malloc(room);
    if (!path) {
        abort();
    }
    (void)snprintf(path, room, "%s/%s%s", folder, name, suffix);
    return path;
}

// ---------------------------------------------------------------------------------------------
// folders

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_scenarios(name_list *list, const char *folder)
{
    DIR *dir = opendir(folder);
    *list = (name_list){ 0 };
    if (!dir) {
        return false;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const size_t n = strlen(entry->d_name);
        if (n <= 5u || strcmp(entry->d_name + n - 5u, ".toml") != 0 || entry->d_name[0] == '.') {
            continue;
        }
        char **more = realloc(list->names, ((size_t)list->count + 1u) * sizeof *more);
        char *name = more ? malloc(n - 4u) : NULL;
        if (!name) {
            abort();
        }
        memcpy(name, entry->d_name, n - 5u);
        name[n - 5u] = '\0';
        list->names = more;
        list->names[list->count++] = name;
    }
    closedir(dir);
    if (list->count) {
        qsort(list->names, (size_t)list->count, sizeof *list->names, by_name);
    }
    return true;
}

// the folder and those above it
static bool make_folder(const char *folder)
{
    char *path = format_path(folder, "", "");
    bool ok = true;
    for (char *c = path + 1; *c && ok; c++) {
        if (*c == '/') {
            *c = '\0';
            ok = mkdir(path, 0777) == 0 || errno == EEXIST;
            *c = '/';
        }
    }
    struct stat info;
    ok = ok && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    free(path);
    return ok;
}

// ---------------------------------------------------------------------------------------------
// one scenario

typedef struct watcher {
    analysis_error *error;
    double start, worst;
    trace run;
} watcher;

static void watch(void *context, const scenario *s, const ecp_world *world,
                  const ecp_report *report, const double *csv, long k)
{
    watcher *w = context;
    if (k == 0) {
        w->start = (double)ecp_energy(world);
    }
    if (w->error) {
        w->worst = fmax(w->worst, w->error(s, world, w->start, k));
    }
    trace_offer(&w->run, s, world, report, csv, k);
}

static void print_line(const char *name, const run_result *r, const watcher *w)
{
    char error[24] = "-";
    if (w->error) {
        (void)snprintf(error, sizeof error, "%.1e", w->worst);
    }
    printf("%-14s %6ld %7d %7d %9ld %12.1e %10s %9.2f\n", name, r->steps, r->iterations_median,
           r->iterations_max, r->degraded, r->worst_gap < 0.0 ? -r->worst_gap : 0.0, error,
           r->steps ? 1e6 * r->seconds / (double)r->steps : 0.0);
}

static FILE *open_output(const char *path, const char *what)
{
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected a place for the %s\n", path,
                strerror(errno), what);
    }
    return out;
}

// false: some of it could not be written
static bool close_output(FILE *out, const char *path)
{
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        fprintf(stderr, "%s:1: the file cannot be written; expected room for it\n", path);
        return false;
    }
    return true;
}

static bool write_page(const char *path, const char *file, const scenario *s, const watcher *w,
                       const run_result *r)
{
    FILE *page = open_output(path, "report");
    if (!page) {
        return false;
    }
    report_write(page, &(report_source){ .s = s, .file = file, .run = &w->run, .result = r });
    return close_output(page, path);
}

typedef struct demo_paths {
    char *scenario, *csv, *page;
} demo_paths;

// everything of a scenario that was read well
static int run_opened(const demo_paths *paths, const char *name, FILE *csv, FILE *index,
                      const scenario *s, ecp_world *world)
{
    watcher w = { .error = analysis_find(name) };
    run_result r;
    trace_start(&w.run, s);
    const run_options options = { .csv = csv, .steps = -1, .watch = watch, .context = &w };
    int status = run_scenario(&r, s, world, &options) ? EXIT_DONE : EXIT_FAILED;
    print_line(name, &r, &w);
    if (status != EXIT_DONE) {
        fprintf(stderr, "%s:1: step %ld was refused: %s, %s; expected a step that can be taken\n",
                paths->scenario, r.steps, ecp_status_name(r.status), r.error);
    }
    if (!write_page(paths->page, paths->scenario, s, &w, &r)) {
        status = EXIT_FAILED;
    }
    demo_page_card(index, &(demo_card){ name, paths->scenario, s, &w.run, &r, w.error ? w.worst : -1.0 });
    trace_free(&w.run);
    return status;
}

static int run_one(const char *folder, const char *out, const char *name, FILE *index)
{
    const demo_paths paths = { format_path(folder, name, ".toml"), format_path(out, name, ".csv"),
                               format_path(out, name, ".html") };
    scenario s;
    ecp_world *world;
    int status = EXIT_FAILED;
    FILE *csv = open_output(paths.csv, "CSV");
    if (csv && open_scenario(&s, &world, paths.scenario)) {
        status = run_opened(&paths, name, csv, index, &s, world);
        close_scenario(&s, world);
    } else if (csv) {
        printf("%-14s refused\n", name);
        demo_page_card(index, &(demo_card){ .name = name, .file = paths.scenario });
    }
    if (csv && !close_output(csv, paths.csv)) {
        status = EXIT_FAILED;
    }
    fflush(stdout);
    free(paths.scenario);
    free(paths.csv);
    free(paths.page);
    return status;
}

static int run_all(const char *folder, const char *out, const name_list *list)
{
    int status = EXIT_DONE;
    char *path = format_path(out, "index", ".html");
    FILE *index = open_output(path, "pages");
    if (!index) {
        free(path);
        return EXIT_USAGE;
    }
    demo_page_start(index);
    printf("%-14s %6s %15s %9s %12s %10s %9s\n", "scenario", "steps", "iterations", "degraded",
           "penetration", "error vs", "us per");
    printf("%-14s %6s %7s %7s %9s %12s %10s %9s\n", "", "", "median", "max", "steps", "worst, m",
           "analysis", "step");
    for (int i = 0; i < list->count; i++) {
        if (run_one(folder, out, list->names[i], index) != EXIT_DONE) {
            status = EXIT_FAILED;
        }
    }
    demo_page_end(index);
    if (!close_output(index, path)) {
        status = EXIT_FAILED;
    }
    printf("pages: %s\n", path);
    free(path);
    return status;
}

int cmd_demo(int argc, char **argv)
{
    const char *folder = NULL, *out = NULL;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            puts(
                "usage: ecp demo DIR --out OUTDIR\nRuns every scenario of DIR, writes CSVs, "
                "reports and index.html to OUTDIR,\nprints a table.");
            return EXIT_DONE;
        }
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
            out = argv[++i];
        } else if (argv[i][0] != '-' && !folder) {
            folder = argv[i];
        } else {
            return usage_error("demo", "unexpected", argv[i], "ecp demo DIR --out OUTDIR");
        }
    }
    if (!folder || !out) {
        return usage_error("demo", "an argument is missing", NULL, "ecp demo DIR --out OUTDIR");
    }
    name_list list;
    if (!list_scenarios(&list, folder)) {
        return usage_error("demo", "cannot read the folder", folder,
                           "a folder with scenario files");
    }
    int status;
    if (list.count == 0) {
        status = usage_error("demo", "no scenario in", folder, "a folder with *.toml files");
    } else if (!make_folder(out)) {
        status = usage_error("demo", "cannot create the folder", out, "a place for the CSV files");
    } else {
        status = run_all(folder, out, &list);
    }
    for (int i = 0; i < list.count; i++) {
        free(list.names[i]);
    }
    free(list.names);
    return status;
}
