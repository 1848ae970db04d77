// figures.h - the published figures again, from runs made on the spot.
#ifndef ECP_FIGURES_H
#define ECP_FIGURES_H

#include "chart.h"
#include "geometry.h"
#include "picture.h"
#include "run.h"
#include "trace.h"

/// A scenario that has been run.
typedef struct figure_run {
    scenario s;
    trace t;
    run_result result;
} figure_run;

typedef struct figures {
    const char *out, *scenarios, *data; ///< folders
    FILE *index;                        ///< the page that shows them all
    bool failed;
} figures;

/// Run NAME.toml of the scenario folder, or a text. False: it could not be run, and that was said.
bool figure_run_file(figures *f, figure_run *run, const char *name);
bool figure_run_text(figures *f, figure_run *run, const char *text);
void figure_run_free(figure_run *run);

/// Column as an array of t.rows numbers; to be freed. first: rows before it become gaps.
double *figure_column(const figure_run *run, const char *name, long first);
/// The same from a file of the data folder; *rows is set.
double *figure_data(figures *f, const char *file, const char *column, long *rows);

/// Open OUT/NAME.svg and add it to the page with what it shows.
FILE *figure_open(figures *f, const char *name, double width, double height, const char *title,
                  const char *published, const char *here);
void figure_close(figures *f, FILE *out);
void figure_picture(FILE *out, const figure_run *run, double x, double y, picture_options options);
/// A line on the page about a figure that cannot be made yet.
void figure_waits(figures *f, const char *name, const char *for_what);

void figures_line_surface(figures *f);   ///< Xie and Chakraborty, line and surface contact
void figures_implicit(figures *f);       ///< Chakraborty et al., implicit time stepping
void figures_nonconvex(figures *f);      ///< Xie and Chakraborty, non-convex patches

#endif
