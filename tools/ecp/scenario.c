#include "scenario.h"
#include "suggest.h"

#include "loads.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// a scenario is written by hand; what is larger is some other file
#define MAX_FILE_BYTES (4u << 20)

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

// ---------------------------------------------------------------------------------------------
// keys before the first table

static bool read_times(scenario *s, const toml_table *top, fault *why)
{
    const toml_key *h = keys_need(top, "h", why);
    const toml_key *duration = h ? keys_need(top, "duration", why) : NULL;
    if (!duration) {
        return false;
    }
    s->h = h->value.number;
    s->duration = duration->value.number;
    if (!((ecp_real)s->h > (ecp_real)0)) {
        return fault_at(why, h->value.where, "h is %g; expected more than 0", s->h);
    }
    if (s->duration < 0.0) {
        return fault_at(why, duration->value.where, "duration is %g; expected 0 or more", s->duration);
    }
    const double steps = floor(s->duration / s->h + 0.5);
    if (!(steps <= (double)SCENARIO_MAX_STEPS)) {
        return fault_at(why, duration->value.where, "the run has %g steps; expected at most %ld", steps,
                         SCENARIO_MAX_STEPS);
    }
    s->steps = (long)steps;
    return true;
}

static bool read_settings(scenario *s, const toml_table *top, fault *why)
{
    double gravity[3];
    const toml_key *tolerance = toml_find(top, "tolerance");
    const toml_key *recovery = toml_find(top, "recovery_speed");
    if (!keys_need(top, "gravity", why)) {
        return false;
    }
    keys_numbers(top, "gravity", gravity);
    s->settings.gravity = keys_vec3(gravity);
    s->settings_line = recovery ? recovery->line : 1;
    if (tolerance && !(tolerance->value.number >= 1e-12 && tolerance->value.number <= 1e-2)) {
        return fault_at(why, tolerance->value.where, "tolerance is %g; expected 1e-12 to 1e-2",
                         tolerance->value.number);
    }
    if (recovery && recovery->value.number < 0.0) {
        return fault_at(why, recovery->value.where, "recovery_speed is %g; expected 0 or more",
                        recovery->value.number);
    }
    s->settings.tolerance = (ecp_real)keys_number(top, "tolerance", 0.0);
    // the library takes 0 for the default: no recovery at all is the least speed there is
    s->settings.recovery_speed = (ecp_real)keys_number(top, "recovery_speed", 0.0);
    if (recovery && !(s->settings.recovery_speed > (ecp_real)0)) {
        s->settings.recovery_speed = (ecp_real)FLT_MIN;
    }
    return true;
}

static bool read_top(scenario *s, const toml_table *top, fault *why)
{
    const toml_key *key = toml_find(top, "title");
    const char *title = key ? key->value.string : "";
    s->title = take(strlen(title) + 1u, 1u);
    memcpy(s->title, title, strlen(title) + 1u);
    return read_times(s, top, why) && read_settings(s, top, why);
}

// ---------------------------------------------------------------------------------------------
// [[contact]]

static bool read_pair(scenario *s, scenario_contact *contact, const toml_table *table, fault *why)
{
    const toml_key *key = keys_need(table, "bodies", why);
    int id[2];
    for (int i = 0; key && i < 2; i++) {
        id[i] = body_find(s, key->value.items[i].string);
        if (id[i] < 0) {
            return body_unknown(s, &key->value.items[i], why);
        }
    }
    if (!key) {
        return false;
    }
    if (id[0] == id[1]) {
        return fault_at(why, key->value.where, "a contact of '%.40s' with itself; expected two bodies",
                         s->bodies[id[0]].name);
    }
    for (int k = 0; k < s->contact_count; k++) {
        const ecp_contact_def *other = &s->contacts[k].def;
        if ((other->a == id[0] && other->b == id[1]) || (other->a == id[1] && other->b == id[0])) {
            return fault_at(why, key->value.where,
                             "the same pair as in the contact of line %d; expected every pair "
                             "once",
                             s->contacts[k].line);
        }
    }
    const scenario_body *a = &s->bodies[id[0]], *b = &s->bodies[id[1]];
    if (a->def.kind != ECP_DYNAMIC && b->def.kind != ECP_DYNAMIC) {
        return fault_at(why, key->value.where,
                         "neither '%.40s' nor '%.40s' is dynamic; expected at least one", a->name,
                         b->name);
    }
    contact->def.a = id[0];
    contact->def.b = id[1];
    return supported_pair(a, b, key->line, why);
}

static bool read_model(const toml_table *table, fault *why)
{
    static const char *const others[] = { "viscosity", "directions", "points" };
    const toml_key *model = toml_find(table, "model");
    if (model && !supported_model(model, why)) {
        return false;
    }
    if (model && strcmp(model->value.string, "ecp") != 0) {
        static const char *const names[] = { "ecp", "lcp", "no_slip", "viscous" };
        suggestion near = suggest(model->value.string);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            suggest_offer(&near, names[i]);
        }
        return fault_at(why, model->value.where,
                        "unknown model '%.40s'; expected ecp, lcp, no_slip or viscous%s",
                        model->value.string, suggest_text(&near));
    }
    for (int i = 0; i < 3; i++) {
        const toml_key *key = toml_find(table, others[i]);
        if (key) {
            return fault_at(why, key->where, "'%s' does not belong to model ecp; expected mu and e",
                            others[i]);
        }
    }
    const toml_key *restitution = toml_find(table, "restitution");
    if (restitution && fabs(restitution->value.number) > 0.0) {
        return fault_at(why, restitution->value.where,
                         "contacts are inelastic; expected restitution 0 or none");
    }
    return true;
}

// only the direction counts; of unit length it cannot overflow, nor vanish in float
static void unit_direction(double v[3])
{
    const double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0.0)) {
        return;
    }
    const double x = v[0] / largest, y = v[1] / largest, z = v[2] / largest;
    const double length = sqrt(x * x + y * y + z * z);
    v[0] = x / length;
    v[1] = y / length;
    v[2] = z / length;
}

static bool read_friction(scenario_contact *contact, const toml_table *table, fault *why)
{
    const toml_key *mu = keys_need(table, "mu", why);
    const toml_key *e = mu ? keys_need(table, "e", why) : NULL;
    double axis[3] = { 0.0, 0.0, 0.0 };
    if (!e) {
        return false;
    }
    if (mu->value.number < 0.0) {
        return fault_at(why, mu->value.where, "mu is %g; expected 0 or more", mu->value.number);
    }
    contact->def.mu = (ecp_real)mu->value.number;
    for (int i = 0; i < 3; i++) {
        const double x = e->value.items[i].number;
        contact->def.e[i] = (ecp_real)x;
        if (i < 2 ? !(contact->def.e[i] > (ecp_real)0) : x < 0.0) {
            return fault_at(why, e->value.items[i].where, "e[%d] is %g; expected e_t > 0, e_o > 0, e_r >= 0", i,
                             x);
        }
    }
    keys_numbers(table, "axis", axis);
    unit_direction(axis);
    contact->def.axis = keys_vec3(axis);
    return true;
}

static bool contact_read(scenario *s, const toml_table *table, fault *why)
{
    scenario_contact *contact = &s->contacts[s->contact_count];
    if (s->contact_count >= ECP_MAX_CONTACTS) {
        return fault_set(why, table->line,
                         "too many contacts; expected at most ECP_MAX_CONTACTS = %d",
                         ECP_MAX_CONTACTS);
    }
    *contact = (scenario_contact){ .line = table->line };
    if (!read_pair(s, contact, table, why) || !read_model(table, why) ||
        !read_friction(contact, table, why)) {
        return false;
    }
    s->contact_count++;
    return true;
}

// ---------------------------------------------------------------------------------------------
// the file

static bool check_tables(const toml_doc *doc, fault *why)
{
    for (int i = 0; i < doc->count; i++) {
        const toml_table *table = &doc->tables[i];
        if (!supported_table(table, why)) {
            return false;
        }
        if (i > 0 && !keys_table_known(table->name)) {
            suggestion near = suggest(table->name);
            keys_offer_tables(&near);
            return fault_set(why, table->line,
                             "unknown table [[%.40s]]; expected [[body]], [[contact]], "
                             "[[wrench]] or [[impulse]]%s",
                             table->name, suggest_text(&near));
        }
        if (!keys_check(table, why)) {
            return false;
        }
    }
    return true;
}

typedef bool table_reader(scenario *s, const toml_table *table, fault *why);

// tables may stand in any order, so bodies are read before what refers to them
static bool read_tables(scenario *s, const toml_doc *doc, fault *why)
{
    static const struct {
        const char *name;
        table_reader *read;
    } readers[] = {
        { "body", body_read },
        { "contact", contact_read },
        { "wrench", wrench_read },
        { "impulse", impulse_read },
    };
    for (size_t r = 0; r < sizeof readers / sizeof *readers; r++) {
        for (int i = 1; i < doc->count; i++) {
            if (strcmp(doc->tables[i].name, readers[r].name) == 0 &&
                !readers[r].read(s, &doc->tables[i], why)) {
                return false;
            }
        }
    }
    return true;
}

bool scenario_parse(scenario *s, const char *text, size_t length, fault *why)
{
    toml_doc doc;
    *s = (scenario){ 0 };
    if (!toml_parse(&doc, text, length, why)) {
        return false;
    }
    const size_t n = (size_t)doc.count;
    s->bodies = take(n, sizeof *s->bodies);
    s->contacts = take(n, sizeof *s->contacts);
    s->wrenches = take(n, sizeof *s->wrenches);
    s->impulses = take(n, sizeof *s->impulses);
    const bool ok =
        check_tables(&doc, why) && read_top(s, &doc.tables[0], why) && read_tables(s, &doc, why);
    toml_free(&doc);
    s->text = take(length + 1u, 1u);
    s->length = length;
    memcpy(s->text, text, length);
    if (ok) {
        loads_scene(s);
    } else {
        fault_quote(why, text, length);
        scenario_free(s);
    }
    return ok;
}

static char *read_all(const char *file, size_t *length, fault *why)
{
    FILE *in = fopen(file, "rb");
    if (!in) {
        fault_set(why, 1, "the file cannot be opened (%s); expected a scenario", strerror(errno));
        return NULL;
    }
    char *text = take(MAX_FILE_BYTES + 1u, 1u);
    *length = fread(text, 1u, MAX_FILE_BYTES + 1u, in);
    if (ferror(in)) {
        fault_set(why, 1, "the file cannot be read (%s); expected a scenario", strerror(errno));
    } else if (*length > MAX_FILE_BYTES) {
        fault_set(why, 1, "the file is too large; expected a scenario of at most %u bytes",
                  MAX_FILE_BYTES);
    } else {
        fclose(in);
        return text;
    }
    fclose(in);
    free(text);
    return NULL;
}

bool scenario_load(scenario *s, const char *file, fault *why)
{
    size_t length = 0;
    *s = (scenario){ 0 };
    char *text = read_all(file, &length, why);
    if (!text) {
        return false;
    }
    const bool ok = scenario_parse(s, text, length, why);
    free(text);
    return ok;
}

void scenario_free(scenario *s)
{
    for (int i = 0; i < s->body_count; i++) {
        body_free(&s->bodies[i]);
    }
    free(s->text);
    loads_scene_free(&s->scene);
    free(s->title);
    free(s->bodies);
    free(s->contacts);
    free(s->wrenches);
    free(s->impulses);
    *s = (scenario){ 0 };
}

// ---------------------------------------------------------------------------------------------
// the world

// the line of the key that a refusal of a body is about
static int refusal_line(const scenario_body *body, ecp_status status)
{
    const scenario_lines *line = &body->line;
    const int at = status == ECP_E_SHAPE   ? line->shape
                   : status == ECP_E_MASS  ? (line->inertia ? line->inertia : line->mass)
                                           : 0;
    return at ? at : line->table;
}

static bool refused(const scenario *s, const ecp_world *world, ecp_status status, int line,
                    const char *what, fault *why)
{
    const char *text = ecp_error(world);
    fault_set(why, line, "%.60s is refused: %s%s%.160s; expected values the library accepts", what,
              ecp_status_name(status), text[0] ? ", " : "", text);
    fault_quote(why, s->text, s->length);
    return false;
}

bool scenario_build(const scenario *s, ecp_world *world, fault *why)
{
    ecp_status status = ecp_world_init(world, &s->settings);
    if (status < 0) {
        return refused(s, world, status, s->settings_line, "a setting", why);
    }
    for (int i = 0; i < s->body_count; i++) {
        status = ecp_add_body(world, &s->bodies[i].def, NULL);
        if (status < 0) {
            return refused(s, world, status, refusal_line(&s->bodies[i], status), s->bodies[i].name,
                           why);
        }
    }
    for (int k = 0; k < s->contact_count; k++) {
        status = ecp_add_contact(world, &s->contacts[k].def, NULL);
        if (status < 0) {
            return refused(s, world, status, s->contacts[k].line, "the contact", why);
        }
    }
    if (!isfinite((double)ecp_energy(world))) {
        fault_set(why, 1, "the energy of the start is too large; expected a finite number");
        fault_unmark(why);
        return false;
    }
    return true;
}
