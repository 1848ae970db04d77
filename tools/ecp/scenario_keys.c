// Which keys every table of a scenario file has, and of what type.
#include "scenario.h"
#include "suggest.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#if ECP_REAL_BITS == 32
#define REAL_MAX ((double)FLT_MAX)
#else
#define REAL_MAX DBL_MAX
#endif

typedef enum key_type { NUMBER, TEXT, NUMBERS, TEXTS } key_type;

typedef struct key_spec {
    const char *table, *name;
    key_type type;
    int count; // items of an array; with `multiple` a divisor of the number; 0: any
    int other; // another number of items that is right, or 0
    bool multiple;
    const char *expected;
} key_spec;

#define VEC(table, name)                                                                           \
    {                                                                                              \
        table, name, NUMBERS, 3, 0, false, "an array of 3 numbers"                                 \
    }
#define QUAT(table, name)                                                                          \
    {                                                                                              \
        table, name, NUMBERS, 4, 0, false, "an array of 4 numbers w,x,y,z"                         \
    }
#define NUM(table, name)                                                                           \
    {                                                                                              \
        table, name, NUMBER, 0, 0, false, "a number"                                               \
    }
#define STR(table, name)                                                                           \
    {                                                                                              \
        table, name, TEXT, 0, 0, false, "a string"                                                 \
    }

// clang-format off
static const key_spec specs[] = {
    STR("", "title"), NUM("", "h"), NUM("", "duration"), VEC("", "gravity"),
    NUM("", "tolerance"), NUM("", "recovery_speed"),

    STR("body", "name"), STR("body", "kind"), STR("body", "shape"),
    VEC("body", "normal"), NUM("body", "offset"), VEC("body", "size"), NUM("body", "radius"),
    VEC("body", "radii"), NUM("body", "length"), NUM("body", "height"),
    { "body", "points", NUMBERS, 3, 0, true, "an array of numbers x,y,z, x,y,z, ..." },
    { "body", "planes", NUMBERS, 4, 0, true, "an array of numbers nx,ny,nz,d, ..." },
    NUM("body", "mass"),
    { "body", "inertia", NUMBERS, 3, 6, false, "an array of 3 or 6 numbers" },
    VEC("body", "position"), QUAT("body", "orientation"), VEC("body", "velocity"),
    VEC("body", "angular_velocity"),
    { "body", "lock", TEXTS, 0, 0, false, "an array of strings" },

    { "contact", "bodies", TEXTS, 2, 0, false, "an array of 2 names" },
    STR("contact", "model"), NUM("contact", "mu"), VEC("contact", "e"), VEC("contact", "axis"),
    NUM("contact", "restitution"), NUM("contact", "directions"), NUM("contact", "points"),
    VEC("contact", "viscosity"),

    STR("wrench", "body"), NUM("wrench", "from"), NUM("wrench", "to"),
    VEC("wrench", "force"), VEC("wrench", "torque"), NUM("wrench", "frequency"),
    VEC("wrench", "sin_force"), VEC("wrench", "cos_force"), VEC("wrench", "sin_torque"),
    VEC("wrench", "cos_torque"),

    STR("impulse", "body"), NUM("impulse", "at"), STR("impulse", "trigger"),
    VEC("impulse", "force"), VEC("impulse", "torque"),
};
// clang-format on

static const char *const tables[] = { "body", "contact", "wrench", "impulse" };
#define TABLES (sizeof tables / sizeof *tables)

bool keys_table_known(const char *name)
{
    for (size_t i = 0; i < TABLES; i++) {
        if (strcmp(name, tables[i]) == 0) {
            return true;
        }
    }
    return false;
}

void keys_offer_tables(suggestion *near)
{
    for (size_t i = 0; i < TABLES; i++) {
        suggest_offer(near, tables[i]);
    }
}

static const key_spec *find_spec(const char *table, const char *name)
{
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        if (strcmp(specs[i].table, table) == 0 && strcmp(specs[i].name, name) == 0) {
            return &specs[i];
        }
    }
    return NULL;
}

static bool count_fits(const key_spec *spec, int count)
{
    if (spec->multiple) {
        return count > 0 && count % spec->count == 0;
    }
    return spec->count == 0 || count == spec->count || (spec->other && count == spec->other);
}

static bool type_fits(const key_spec *spec, const toml_value *value)
{
    if (spec->type == NUMBER || spec->type == TEXT) {
        return value->type == (spec->type == NUMBER ? TOML_NUMBER : TOML_STRING);
    }
    const toml_type item = spec->type == NUMBERS ? TOML_NUMBER : TOML_STRING;
    return value->type == TOML_ARRAY && (value->count == 0 || value->items[0].type == item) &&
           count_fits(spec, value->count);
}

// numbers beyond ecp_real would become infinite
static bool in_range(const toml_value *value)
{
    bool ok =
        value->type != TOML_NUMBER || (value->number <= REAL_MAX && value->number >= -REAL_MAX);
    for (int i = 0; i < value->count; i++) {
        ok = ok && in_range(&value->items[i]);
    }
    return ok;
}

// what may help with a key that the table has not: the table that has it, or the nearest key
static bool unknown_key(const toml_table *table, const toml_key *key, fault *why)
{
    char where[64] = "", hint[80] = "";
    suggestion near = suggest(key->name);
    const key_spec *elsewhere = NULL;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        if (strcmp(specs[i].table, table->name) == 0) {
            suggest_offer(&near, specs[i].name);
        } else if (!elsewhere && strcmp(specs[i].name, key->name) == 0) {
            elsewhere = &specs[i];
        }
    }
    if (near.best) {
        (void)snprintf(hint, sizeof hint, "%s", suggest_text(&near));
    } else if (elsewhere) {
        (void)snprintf(hint, sizeof hint, elsewhere->table[0] ? ", '%.20s' belongs to [[%s]]"
                                                               : ", '%.20s' belongs before the first [[table]]%s",
                       key->name, elsewhere->table);
    }
    (void)snprintf(where, sizeof where, "a key of [[%.40s]]", table->name);
    return fault_at(why, key->where, "unknown key '%.40s'; expected %s%s", key->name,
                    table->name[0] ? where
                                   : "title, h, duration, gravity, tolerance, recovery_speed or a "
                                     "[[table]] before it",
                    hint);
}

bool keys_check(const toml_table *table, fault *why)
{
    for (int i = 0; i < table->count; i++) {
        const toml_key *key = &table->keys[i];
        const key_spec *spec = find_spec(table->name, key->name);
        if (!spec) {
            return unknown_key(table, key, why);
        }
        if (!type_fits(spec, &key->value)) {
            return fault_at(why, key->value.where,
                             "'%s' has the wrong type or number of items; expected %s", key->name,
                             spec->expected);
        }
        if (!in_range(&key->value)) {
            return fault_at(why, key->value.where, "'%s' is too large; expected numbers up to %g",
                             key->name, REAL_MAX);
        }
    }
    return true;
}

const toml_key *keys_need(const toml_table *table, const char *name, fault *why)
{
    const toml_key *key = toml_find(table, name);
    if (!key && table->name[0]) {
        fault_set(why, table->line, "'%s' is missing; expected it in this [[%s]]", name,
                  table->name);
    } else if (!key) {
        fault_set(why, table->line, "'%s' is missing; expected it before the first [[table]]",
                  name);
        fault_unmark(why);
    }
    return key;
}

double keys_number(const toml_table *table, const char *name, double absent)
{
    const toml_key *key = toml_find(table, name);
    return key ? key->value.number : absent;
}

bool keys_numbers(const toml_table *table, const char *name, double *out)
{
    const toml_key *key = toml_find(table, name);
    for (int i = 0; key && i < key->value.count; i++) {
        out[i] = key->value.items[i].number;
    }
    return key != NULL;
}

ecp_vec3 keys_vec3(const double v[3])
{
    return (ecp_vec3){ (ecp_real)v[0], (ecp_real)v[1], (ecp_real)v[2] };
}
