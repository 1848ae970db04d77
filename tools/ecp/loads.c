#include "loads.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

uint64_t load_turn(double turns)
{
    if (!(turns > -0x1p52 && turns < 0x1p52)) {
        return 0;
    }
    const double rest = turns - floor(turns);
    // just below a whole turn the difference may round up to one
    return rest < 1.0 ? (uint64_t)(rest * 0x1p64) : 0;
}

// a number of steps; what lies beyond any run is the end of time
static uint32_t step_number(double k)
{
    return !(k > 0.0) ? 0 : k >= (double)UINT32_MAX ? UINT32_MAX : (uint32_t)k;
}

// the reader refuses loads beyond the range of float; a trigger level beyond it acts like the largest
static ecp_real to_real(double x)
{
#if ECP_REAL_BITS == 32
    if (fabs(x) > (double)FLT_MAX) {
        return x > 0.0 ? FLT_MAX : -FLT_MAX;
    }
#endif
    return (ecp_real)x;
}

static scene_wrench wrench_of(const scenario_wrench *w, double h)
{
    scene_wrench out = { .body = w->body,
                         .first = step_number(w->first),
                         .end = step_number(w->end),
                         .turn = load_turn(w->frequency * h) };
    for (int i = 0; i < 6; i++) {
        out.constant[i] = to_real(w->constant[i]);
        out.sine[i] = to_real(w->sine[i]);
        out.cosine[i] = to_real(w->cosine[i]);
    }
    return out;
}

static scene_impulse impulse_of(const scenario_impulse *impulse)
{
    scene_impulse out = { .body = impulse->body,
                          .triggered = impulse->triggered,
                          .step = step_number(impulse->step),
                          .component = (scene_component)impulse->component,
                          .at_most = impulse->at_most,
                          .level = to_real(impulse->level) };
    for (int i = 0; i < 6; i++) {
        out.value[i] = to_real(impulse->value[i]);
    }
    return out;
}

void loads_scene(scenario *s)
{
    ecp_body_def *bodies = take((size_t)s->body_count, sizeof *bodies);
    ecp_contact_def *contacts = take((size_t)s->contact_count, sizeof *contacts);
    scene_wrench *wrenches = take((size_t)s->wrench_count, sizeof *wrenches);
    scene_impulse *impulses = take((size_t)s->impulse_count, sizeof *impulses);
    for (int i = 0; i < s->body_count; i++) {
        bodies[i] = s->bodies[i].def;
    }
    for (int i = 0; i < s->contact_count; i++) {
        contacts[i] = s->contacts[i].def;
    }
    for (int i = 0; i < s->wrench_count; i++) {
        wrenches[i] = wrench_of(&s->wrenches[i], s->h);
    }
    for (int i = 0; i < s->impulse_count; i++) {
        impulses[i] = impulse_of(&s->impulses[i]);
    }
    s->scene = (scene_data){ .name = s->title,
                        .h = (ecp_real)s->h,
                        .steps = (uint32_t)s->steps,
                        .settings = s->settings,
                        .body_count = s->body_count,
                        .contact_count = s->contact_count,
                        .wrench_count = s->wrench_count,
                        .impulse_count = s->impulse_count,
                        .bodies = bodies,
                        .contacts = contacts,
                        .wrenches = wrenches,
                        .impulses = impulses };
}

void loads_scene_free(scene_data *out)
{
    free((void *)(uintptr_t)out->bodies);
    free((void *)(uintptr_t)out->contacts);
    free((void *)(uintptr_t)out->wrenches);
    free((void *)(uintptr_t)out->impulses);
    *out = (scene_data){ 0 };
}

ecp_status loads_apply(const scenario *s, ecp_world *world, long k)
{
    return scene_load(&s->scene, world, (uint32_t)k);
}
