// scenario.h - a scenario file as a checked description, and the world built from it.
#ifndef ECP_TOOL_SCENARIO_H
#define ECP_TOOL_SCENARIO_H

#include "ecp.h"
#include "fault.h"
#include "scene_data.h"
#include "toml.h"

/// Steps that one run may have.
#define SCENARIO_MAX_STEPS 1000000000L

/// Lines of the keys that the library may object to; 0 when the key is absent.
typedef struct scenario_lines {
    int table, shape, mass, inertia;
} scenario_lines;

typedef struct scenario_body {
    char *name;
    scenario_lines line;
    ecp_body_def def; ///< def.shape points at shape below
    ecp_shape shape;
    ecp_plane *planes;
    ecp_vec3 *vertices;
} scenario_body;

typedef struct scenario_contact {
    int line;
    ecp_contact_def def;
} scenario_contact;

/// A load as numbers: force x, y, z, torque x, y, z.
typedef struct scenario_wrench {
    int body;
    double first, end; ///< acts in the steps first <= k < end; whole numbers, as double: any size
    double frequency;  ///< Hz
    double constant[6], sine[6], cosine[6];
} scenario_wrench;

/// Components of a trigger, in the order of its names.
typedef enum scenario_component {
    TRIGGER_VX,
    TRIGGER_VY,
    TRIGGER_VZ,
    TRIGGER_WX,
    TRIGGER_WY,
    TRIGGER_WZ
} scenario_component;

typedef struct scenario_impulse {
    int body;
    double value[6];
    bool triggered; ///< by a component of the velocity, otherwise by the step number
    double step;
    scenario_component component;
    bool at_most; ///< holds where component <= level, otherwise >=
    double level;
} scenario_impulse;

struct suggestion;

/// Everything a file says. h and times are double in every profile.
typedef struct scenario {
    char *text; ///< of the file, for the quotes of later errors
    size_t length;
    char *title;
    double h, duration;
    long steps;
    ecp_settings settings;
    int settings_line; ///< of recovery_speed, the one setting whose range the library knows
    int body_count, contact_count, wrench_count, impulse_count;
    scenario_body *bodies;
    scenario_contact *contacts;
    scenario_wrench *wrenches;
    scenario_impulse *impulses;
    scene_data scene; ///< the same as a target gets it; loads and hash of a run come from here
} scenario;

/// Read and check a file. On failure *why is filled and *s is empty.
bool scenario_load(scenario *s, const char *file, fault *why);
/// The same from memory.
bool scenario_parse(scenario *s, const char *text, size_t length, fault *why);
/// Fill a world; body and contact ids are the places in s. Bodies refer to shapes inside s.
bool scenario_build(const scenario *s, ecp_world *world, fault *why);
void scenario_free(scenario *s);

// ---------------------------------------------------------------------------------------------
// parts of the reader

/// Check that every key of a table is known there and has the right type and number of items.
bool keys_check(const toml_table *table, fault *why);
/// True if [[name]] is a table of the format.
bool keys_table_known(const char *name);
/// Offer the names of all tables.
void keys_offer_tables(struct suggestion *near);
/// The key, or a fault on the table's header.
const toml_key *keys_need(const toml_table *table, const char *name, fault *why);
/// The number of a key, or the value given for an absent one.
double keys_number(const toml_table *table, const char *name, double absent);
/// Copy the numbers of an array; false if the key is absent (out stays as it is).
bool keys_numbers(const toml_table *table, const char *name, double *out);
/// Convert; the keys were checked to be in range of ecp_real.
ecp_vec3 keys_vec3(const double v[3]);

/// Read a [[body]] into s->bodies[s->body_count] and count it.
bool body_read(scenario *s, const toml_table *table, fault *why);
/// Place of the body of that name, or -1.
int body_find(const scenario *s, const char *name);
/// The fault of a name that no body has. Always false.
bool body_unknown(const scenario *s, const toml_value *name, fault *why);
void body_free(scenario_body *body);

/// Read a [[wrench]] or [[impulse]] and count it.
bool wrench_read(scenario *s, const toml_table *table, fault *why);
bool impulse_read(scenario *s, const toml_table *table, fault *why);

// what the format has and this version of the library has not; each is false with a fault
bool supported_table(const toml_table *table, fault *why);
bool supported_shape(const toml_key *shape, fault *why);
bool supported_model(const toml_key *model, fault *why);
bool supported_pair(const scenario_body *a, const scenario_body *b, int line, fault *why);

#endif
