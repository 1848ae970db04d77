// figures OUTDIR SCENARIODIR DATADIR | figures --picture SCENARIO.toml STEPS: the published figures as
// SVG files and one page; or one picture of a run on stdout.
#include "figures.h"

#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

static char *path_of(const char *folder, const char *name, const char *suffix)
{
    const size_t room = strlen(folder) + strlen(name) + strlen(suffix) + 2u;
    char *path = take(room, 1u);
    (void)snprintf(path, room, "%s/%s%s", folder, name, suffix);
    return path;
}

// ---------------------------------------------------------------------------------------------
// runs

static void keep_row(void *context, const scenario *s, const ecp_world *world,
                     const ecp_report *report, const double *csv, long k)
{
    trace_offer(context, s, world, report, csv, k);
}

static bool run_loaded(figures *f, figure_run *run, const char *name, long steps)
{
    fault why;
    ecp_world *world = take(1u, sizeof *world);
    bool ok = scenario_build(&run->s, world, &why);
    if (!ok) {
        fault_print(&why, name);
        scenario_free(&run->s);
    } else {
        trace_start(&run->t, &run->s);
        const run_options options = { .steps = steps, .watch = keep_row, .context = &run->t };
        if (!run_scenario(&run->result, &run->s, world, &options)) {
            fprintf(stderr, "%s:1: step %ld was refused: %s; expected a whole run\n", name,
                    run->result.steps, run->result.error);
            f->failed = true;
        }
    }
    free(world);
    f->failed = f->failed || !ok;
    return ok;
}

bool figure_run_file(figures *f, figure_run *run, const char *name)
{
    fault why;
    char *path = path_of(f->scenarios, name, ".toml");
    bool ok = scenario_load(&run->s, path, &why);
    if (!ok) {
        fault_print(&why, path);
        f->failed = true;
    } else {
        ok = run_loaded(f, run, path, -1);
    }
    free(path);
    return ok;
}

bool figure_run_text(figures *f, figure_run *run, const char *text)
{
    fault why;
    if (!scenario_parse(&run->s, text, strlen(text), &why)) {
        fault_print(&why, "figure");
        f->failed = true;
        return false;
    }
    return run_loaded(f, run, "figure", -1);
}

void figure_run_free(figure_run *run)
{
    trace_free(&run->t);
    scenario_free(&run->s);
}

double *figure_column(const figure_run *run, const char *name, long first)
{
    const int column = trace_column(&run->t, name);
    double *values = take((size_t)run->t.rows, sizeof *values);
    for (long k = 0; k < run->t.rows; k++) {
        values[k] = column < 0 || k < first ? (double)NAN : trace_at(&run->t, k, column);
    }
    return values;
}

double *figure_data(figures *f, const char *file, const char *column, long *rows)
{
    fault why;
    csv_table table;
    char *path = path_of(f->data, file, ".csv");
    double *values = NULL;
    *rows = 0;
    if (!csv_read(&table, path, &why)) {
        fault_print(&why, path);
        f->failed = true;
        free(path);
        return take(1u, sizeof *values);
    }
    values = take((size_t)table.rows, sizeof *values);
    for (int i = 0; i < table.count; i++) {
        for (long k = 0; k < table.rows && strcmp(table.names[i], column) == 0; k++) {
            values[k] = table.cells[(size_t)k * (size_t)table.count + (size_t)i];
        }
    }
    *rows = table.rows;
    csv_free(&table);
    free(path);
    return values;
}

// ---------------------------------------------------------------------------------------------
// sheets

FILE *figure_open(figures *f, const char *name, double width, double height, const char *title,
                  const char *published, const char *here)
{
    char *path = path_of(f->out, name, ".svg");
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected a place for the figure\n",
                path, strerror(errno));
        f->failed = true;
        free(path);
        return NULL;
    }
    printf("%s\n", path);
    free(path);
    fprintf(f->index, "<section><h2>");
    html_text(f->index, title);
    fprintf(f->index, "</h2><p><b>Published:</b> ");
    html_text(f->index, published);
    fprintf(f->index, "</p><p><b>Here:</b> ");
    html_text(f->index, here);
    fprintf(f->index, "</p><img src=\"%s.svg\" alt=\"", name);
    html_text(f->index, title);
    fputs("\"></section>\n", f->index);
    sheet_start(out, width, height);
    return out;
}

void figure_close(figures *f, FILE *out)
{
    fputs("</svg>\n", out);
    const bool failed = ferror(out) != 0;
    f->failed = fclose(out) != 0 || failed || f->failed;
}

void figure_picture(FILE *out, const figure_run *run, double x, double y, picture_options options)
{
    fprintf(out, "<g transform=\"translate(%g %g)\">", x, y);
    picture_write(out, &run->s, &run->t, &options);
    fputs("</g>\n", out);
}

void figure_waits(figures *f, const char *name, const char *for_what)
{
    fputs("<section class=\"waits\"><h2>", f->index);
    html_text(f->index, name);
    fputs("</h2><p>", f->index);
    html_text(f->index, for_what);
    fputs("</p></section>\n", f->index);
}

// ---------------------------------------------------------------------------------------------

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Figures</title>"
    "<link rel=\"icon\" href=\"data:,\"><style>:root{color-scheme:light dark}"
    "body{font:14px/1.45 system-ui,\"DejaVu Sans\",sans-serif;max-width:1000px;margin:0 auto;padding:20px;"
    "background:#f6f7f9;color:#1c2430}section{background:#fff;border:1px solid #dfe4ea;border-radius:10px;padding:6px 16px 14px;margin:14px 0}"
    "h2{font-size:17px;margin:8px 0}p{margin:4px 0;max-width:95ch}img{width:100%;height:auto;margin-top:8px}.waits{opacity:.75}"
    "@media(prefers-color-scheme:dark){body{background:#10151c;color:#e6ebf2}section{background:#181f29;border-color:#2a3442}}"
    "</style></head><body><h1>Published figures, run again</h1>\n"
    "<p>Every curve here comes from a run made by the command that wrote this page; beside it, what the "
    "papers show.</p>\n";

static int make_all(figures *f)
{
    char *path = path_of(f->out, "index", ".html");
    f->index = fopen(path, "wb");
    if (!f->index) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected a folder for the figures\n",
                path, strerror(errno));
        free(path);
        return 2;
    }
    fputs(page_head, f->index);
    figures_line_surface(f);
    figures_implicit(f);
    figures_nonconvex(f);
    fputs("</body></html>\n", f->index);
    const bool failed = ferror(f->index) != 0;
    f->failed = fclose(f->index) != 0 || failed || f->failed;
    printf("figures: %s\n", path);
    free(path);
    return f->failed ? 1 : 0;
}

static int make_picture(const char *file, const char *steps)
{
    figures f = { 0 };
    figure_run run;
    fault why;
    if (!scenario_load(&run.s, file, &why)) {
        fault_print(&why, file);
        return 2;
    }
    if (!run_loaded(&f, &run, file, strtol(steps, NULL, 10))) {
        return 2;
    }
    const picture_options look = { .width = 720, .height = 300, .last = run.t.rows - 1, .poses = 11, .spacing = 0.62, .style = true };
    picture_write(stdout, &run.s, &run.t, &look);
    figure_run_free(&run);
    return f.failed || fflush(stdout) != 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--picture") == 0) {
        return make_picture(argv[2], argv[3]);
    }
    if (argc != 4) {
        fputs("usage: figures OUTDIR SCENARIODIR DATADIR\n       figures --picture SCENARIO.toml STEPS\n", stderr);
        return 2;
    }
    figures f = { .out = argv[1], .scenarios = argv[2], .data = argv[3] };
    return make_all(&f);
}
