// scenarios.h - every scenario file of tools/scenarios that this profile can hold, for the tests.
#ifndef ECP_TEST_SCENARIOS_H
#define ECP_TEST_SCENARIOS_H

#include "test.h"

#include "loads.h"
#include "math/quat.h"

#include <glob.h>
#include <stdlib.h>

/// Worlds and report are large: they live here, not on the stack.
static ecp_world scenario_world;
static ecp_report scenario_report;

/// Call use for every scenario file, its world freshly built in scenario_world; returns how many.
/// A file that asks for more than the limits of the profile is left out.
static inline int scenarios_each(void (*use)(const scenario *s, const char *name))
{
    glob_t files;
    int used = 0;
    TEST_ASSERT_EQUAL_INT(0, glob(ECP_SOURCE_DIR "/tools/scenarios/*.toml", 0, NULL, &files));
    for (size_t i = 0; i < files.gl_pathc; i++) {
        scenario s;
        fault why;
        if (!scenario_load(&s, files.gl_pathv[i], &why)) {
            continue;
        }
        if (scenario_build(&s, &scenario_world, &why)) {
            use(&s, strrchr(files.gl_pathv[i], '/') + 1);
            used++;
        }
        scenario_free(&s);
    }
    globfree(&files);
    return used;
}

/// One step of the scenario with its loads.
static inline ecp_status scenario_step(const scenario *s, ecp_world *world, long k,
                                       ecp_report *report)
{
    TEST_ASSERT_TRUE(loads_apply(s, world, k) >= ECP_OK);
    return ecp_step(world, (ecp_real)s->h, report);
}

static inline bool same_reals(const void *a, const void *b, size_t count)
{
    return memcmp(a, b, count * sizeof(ecp_real)) == 0;
}

/// Every body in the same state, to the last bit.
static inline bool same_states(const ecp_world *a, const ecp_world *b)
{
    bool same = a->body_count == b->body_count;
    for (int i = 0; same && i < a->body_count; i++) {
        ecp_state sa, sb;
        same = ecp_get_state(a, i, &sa) == ECP_OK && ecp_get_state(b, i, &sb) == ECP_OK &&
               same_reals(&sa, &sb, sizeof sa / sizeof(ecp_real));
    }
    return same;
}

/// The same report, to the last bit (compared by part, which leaves padding out).
static inline bool same_reports(const ecp_report *a, const ecp_report *b)
{
    bool same = a->status == b->status && a->iterations == b->iterations &&
                a->substeps == b->substeps && same_reals(&a->residual, &b->residual, 1) &&
                same_reals(&a->gap_min, &b->gap_min, 1) && a->contact_count == b->contact_count;
    for (int k = 0; same && k < a->contact_count; k++) {
        const ecp_contact_report *x = &a->contact[k], *y = &b->contact[k];
        same = x->mode == y->mode && x->patch == y->patch && x->facets == y->facets &&
               same_reals(&x->a, &y->a, 3) && same_reals(&x->n, &y->n, 3) && same_reals(&x->t,
                                                                                        &y->t, 3) &&
               same_reals(&x->gap, &y->gap, 1) && same_reals(&x->pn, &y->pn, 1) &&
               same_reals(&x->pt, &y->pt, 1) && same_reals(&x->po, &y->po, 1) &&
               same_reals(&x->pr, &y->pr, 1) && same_reals(&x->sigma, &y->sigma, 1) &&
               same_reals(&x->edge, &y->edge, 1) && same_reals(&x->reserve, &y->reserve, 1);
    }
    return same;
}

#endif
