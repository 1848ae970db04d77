// [[wrench]] and [[impulse]]: which steps they act in, and on which body.
#include "scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the dynamic body that a load names
static bool read_target(const scenario *s, const toml_table *table, int *body, fault *why)
{
    const toml_key *key = keys_need(table, "body", why);
    if (!key) {
        return false;
    }
    *body = body_find(s, key->value.string);
    if (*body < 0) {
        return body_unknown(s, &key->value, why);
    }
    if (s->bodies[*body].def.kind != ECP_DYNAMIC) {
        return fault_at(why, key->value.where,
                         "a load on '%.40s', which is not dynamic; expected a dynamic body",
                         key->value.string);
    }
    return true;
}

// the first step that starts at or after a time, both within 1e-6 h
static double first_step(double time, double h)
{
    return ceil(time / h - 1e-6);
}

bool wrench_read(scenario *s, const toml_table *table, fault *why)
{
    scenario_wrench *w = &s->wrenches[s->wrench_count];
    *w = (scenario_wrench){ 0 };
    if (!read_target(s, table, &w->body, why)) {
        return false;
    }
    const toml_key *from = keys_need(table, "from", why);
    const toml_key *to = from ? keys_need(table, "to", why) : NULL;
    if (!to) {
        return false;
    }
    if (to->value.number < from->value.number) {
        return fault_at(why, to->value.where, "'to' is before 'from'; expected at least %g",
                         from->value.number);
    }
    w->first = first_step(from->value.number, s->h);
    w->end = first_step(to->value.number, s->h);
    w->frequency = keys_number(table, "frequency", 0.0);
    keys_numbers(table, "force", &w->constant[0]);
    keys_numbers(table, "torque", &w->constant[3]);
    keys_numbers(table, "sin_force", &w->sine[0]);
    keys_numbers(table, "sin_torque", &w->sine[3]);
    keys_numbers(table, "cos_force", &w->cosine[0]);
    keys_numbers(table, "cos_torque", &w->cosine[3]);
    s->wrench_count++;
    return true;
}

// ---------------------------------------------------------------------------------------------
// impulses

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') {
        p++;
    }
    return p;
}

// "wz <= 1e-9"
static bool parse_trigger(scenario_impulse *impulse, const char *text)
{
    static const char names[6][3] = { "vx", "vy", "vz", "wx", "wy", "wz" };
    const char *p = skip_blanks(text);
    int component = 0;
    while (component < 6 && strncmp(p, names[component], 2) != 0) {
        component++;
    }
    if (component == 6) {
        return false;
    }
    p = skip_blanks(p + 2);
    if ((p[0] != '<' && p[0] != '>') || p[1] != '=') {
        return false;
    }
    impulse->component = (scenario_component)component;
    impulse->at_most = p[0] == '<';

    // decimal numbers only: strtod alone would take hex, nan and inf too
    p = skip_blanks(p + 2);
    if (p[strspn(p, "+-0123456789.eE \t")] != '\0') {
        return false;
    }
    char *end;
    impulse->level = strtod(p, &end);
    return end != p && *skip_blanks(end) == '\0' && isfinite(impulse->level);
}

static bool read_moment(scenario *s, scenario_impulse *impulse, const toml_table *table, fault *why)
{
    const toml_key *at = toml_find(table, "at");
    const toml_key *trigger = toml_find(table, "trigger");
    if (at && trigger) {
        return fault_set(why, at->line > trigger->line ? at->line : trigger->line,
                         "'at' and 'trigger' together; expected exactly one of the two");
    }
    if (!at && !trigger) {
        return fault_set(why, table->line,
                         "'at' and 'trigger' are missing; expected exactly one of the two");
    }
    if (at && at->value.number < 0.0) {
        return fault_at(why, at->value.where, "'at' is %g; expected 0 or more", at->value.number);
    }
    impulse->triggered = trigger != NULL;
    if (at) {
        impulse->step = floor(at->value.number / s->h + 0.5);
    } else if (!parse_trigger(impulse, trigger->value.string)) {
        return fault_at(why, trigger->value.where,
            "bad trigger '%.40s'; expected one of vx vy vz wx wy wz, then <= or >=, then a "
            "number",
            trigger->value.string);
    }
    return true;
}

bool impulse_read(scenario *s, const toml_table *table, fault *why)
{
    scenario_impulse *impulse = &s->impulses[s->impulse_count];
    *impulse = (scenario_impulse){ 0 };
    if (!read_target(s, table, &impulse->body, why) || !read_moment(s, impulse, table, why)) {
        return false;
    }
    keys_numbers(table, "force", &impulse->value[0]);
    keys_numbers(table, "torque", &impulse->value[3]);
    s->impulse_count++;
    return true;
}
