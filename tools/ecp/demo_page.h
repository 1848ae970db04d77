// demo_page.h - the page that leads to the reports of many runs: one card each.
#ifndef ECP_TOOL_DEMO_PAGE_H
#define ECP_TOOL_DEMO_PAGE_H

#include "run.h"
#include "trace.h"

typedef struct demo_card {
    const char *name;    ///< of the scenario; its pages are NAME.html and NAME.csv
    const char *file;    ///< the scenario file, for its leading comment
    const scenario *s;   ///< NULL: it was refused
    const trace *run;
    const run_result *result;
    double error;        ///< from the solution by hand; < 0: none is known
} demo_card;

void demo_page_start(FILE *out);
void demo_page_card(FILE *out, const demo_card *card);
void demo_page_end(FILE *out);

/// First sentence of a file's leading comment, or "".
void demo_sentence(char *text, size_t room, const char *file);

#endif
