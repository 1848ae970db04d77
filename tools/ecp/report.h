// report.h - a run as one HTML page that needs nothing but a browser.
#ifndef ECP_TOOL_REPORT_H
#define ECP_TOOL_REPORT_H

#include "run.h"
#include "trace.h"

typedef struct report_source {
    const scenario *s;
    const char *file;       ///< of the scenario; its text is shown
    const trace *run;       ///< rows of the run
    const run_result *result;
    const csv_table *other; ///< a second trajectory, or NULL
    const char *other_name;
} report_source;

/// What the page is called: the title, or else the name of the file.
const char *report_title(const report_source *source);
/// Write the page. The caller looks at ferror(out).
void report_write(FILE *out, const report_source *source);
/// The data of the page, one JSON object.
void report_data(FILE *out, const report_source *source);

#endif
