// Coverage-guided fuzzing of the scenario reader (libFuzzer). Whatever the bytes are: a scenario is
// refused with a line of the file and one sentence, or it is read, built and stepped, and then every
// number of the report is finite.
#include "loads.h"
#include "scenario.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

static void check_fault(const fault *why, const uint8_t *data, size_t size)
{
    int lines = 1;
    for (size_t i = 0; i < size; i++) {
        lines += data[i] == '\n';
    }
    require(why->line >= 1 && why->line <= lines, "the line is one of the file");
    require(strstr(why->text, "; expected ") != NULL, "the text says what was expected");
    require(!strchr(why->text, '\n'), "the text is one line");
    require(strlen(why->quote) + 1u < sizeof why->quote, "the quote fits");
    const char *caret = strchr(why->quote, '\n');
    require(!why->quote[0] || (caret && strchr(caret, '^')), "a quote has a caret");
}

static void check_finite(const ecp_report *report)
{
    for (int k = 0; k < report->contact_count; k++) {
        const ecp_contact_report *c = &report->contact[k];
        const ecp_real x[] = { c->a.x, c->a.y, c->a.z, c->n.x,  c->n.y, c->n.z,   c->t.x,    c->t.y,
                               c->t.z, c->gap, c->pn,  c->pt,   c->po,  c->pr,    c->sigma,  c->edge,
                               c->reserve };
        for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
            require(isfinite((double)x[i]), "a report is finite");
        }
    }
    require(isfinite((double)report->residual) && isfinite((double)report->gap_min),
            "residual and gap are finite");
}

static void step_a_little(const scenario *s, ecp_world *world)
{
    static ecp_report report;
    if (ecp_observe(world, &report) < 0) {
        return;
    }
    check_finite(&report);
    for (long k = 0; k < 3 && k < s->steps; k++) {
        if (loads_apply(s, world, k) < 0 || ecp_step(world, (ecp_real)s->h, &report) < 0) {
            require(ecp_error(world)[0] != '\0', "a refusal has a text");
            return;
        }
        check_finite(&report);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ecp_world world;
    scenario s;
    fault why;
    if (!scenario_parse(&s, (const char *)data, size, &why)) {
        check_fault(&why, data, size);
        return 0;
    }
    if (scenario_build(&s, &world, &why)) {
        step_a_little(&s, &world);
    } else {
        check_fault(&why, data, size);
    }
    scenario_free(&s);
    return 0;
}
