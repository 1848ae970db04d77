// [[body]]: shape, mass, state.
#include "hull.h"
#include "scenario.h"
#include "suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct shape_spec {
    const char *name;
    ecp_shape_kind kind;
    const char *needs[3]; // parameters, required
} shape_spec;

static const shape_spec shapes[] = {
    { "halfspace", ECP_SHAPE_HALFSPACE, { "normal", NULL, NULL } },
    { "box", ECP_SHAPE_BOX, { "size", NULL, NULL } },
    { "sphere", ECP_SHAPE_ELLIPSOID, { "radius", NULL, NULL } },
    { "ellipsoid", ECP_SHAPE_ELLIPSOID, { "radii", NULL, NULL } },
    { "cylinder", ECP_SHAPE_CYLINDER, { "radius", "length", NULL } },
    { "cone", ECP_SHAPE_CONE, { "radius", "height", NULL } },
    { "hull", ECP_SHAPE_POLYTOPE, { "points", NULL, NULL } },
    { "facets", ECP_SHAPE_POLYTOPE, { "planes", NULL, NULL } },
};
#define SHAPE_COUNT (sizeof shapes / sizeof *shapes)

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1u, size);
    if (!memory) {
        abort();
    }
    return memory;
}

// ---------------------------------------------------------------------------------------------
// name and kind

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool name_is_good(const char *name)
{
    bool good = is_letter(name[0]);
    bool column = name[0] == 'c' && name[1]; // c0, c1, ... are the contacts of the CSV
    for (const char *c = name; *c; c++) {
        good = good && (is_letter(*c) || is_digit(*c));
        column = column && (c == name || is_digit(*c));
    }
    return good && !column;
}

int body_find(const scenario *s, const char *name)
{
    for (int i = 0; i < s->body_count; i++) {
        if (strcmp(s->bodies[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

bool body_unknown(const scenario *s, const toml_value *name, fault *why)
{
    suggestion near = suggest(name->string);
    for (int i = 0; i < s->body_count; i++) {
        suggest_offer(&near, s->bodies[i].name);
    }
    return fault_at(why, name->where, "unknown body '%.40s'; expected the name of a [[body]]%s",
                    name->string, suggest_text(&near));
}

static bool read_name(scenario *s, scenario_body *body, const toml_table *table, fault *why)
{
    const toml_key *key = keys_need(table, "name", why);
    if (!key) {
        return false;
    }
    const char *name = key->value.string;
    if (!name_is_good(name)) {
        return fault_at(why, key->value.where,
            "'%.40s' is no name; expected letters, digits and _, no digit first, and not "
            "c followed by digits",
            name);
    }
    const int twin = body_find(s, name);
    if (twin >= 0) {
        return fault_at(why, key->value.where,
                         "the name '%.40s' is taken by the body of line %d; expected a new "
                         "one",
                         name, s->bodies[twin].line.table);
    }
    body->name = take(strlen(name) + 1u, 1u);
    memcpy(body->name, name, strlen(name) + 1u);
    return true;
}

static bool read_kind(scenario_body *body, const toml_table *table, fault *why)
{
    const toml_key *key = keys_need(table, "kind", why);
    if (!key) {
        return false;
    }
    const char *kind = key->value.string;
    body->def.kind = strcmp(kind, "fixed") == 0       ? ECP_FIXED
                     : strcmp(kind, "kinematic") == 0 ? ECP_KINEMATIC
                                                      : ECP_DYNAMIC;
    if (body->def.kind == ECP_DYNAMIC && strcmp(kind, "dynamic") != 0) {
        suggestion near = suggest(kind);
        suggest_offer(&near, "fixed");
        suggest_offer(&near, "kinematic");
        suggest_offer(&near, "dynamic");
        return fault_at(why, key->value.where,
                        "unknown kind '%.40s'; expected fixed, kinematic or dynamic%s", kind,
                        suggest_text(&near));
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// shape

static const shape_spec *find_shape(const char *name)
{
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        if (strcmp(shapes[i].name, name) == 0) {
            return &shapes[i];
        }
    }
    return NULL;
}

static bool shape_needs(const shape_spec *spec, const char *key)
{
    for (int i = 0; i < 3 && spec->needs[i]; i++) {
        if (strcmp(spec->needs[i], key) == 0) {
            return true;
        }
    }
    return spec->kind == ECP_SHAPE_HALFSPACE && strcmp(key, "offset") == 0;
}

// every parameter of the shape is there, and none of another shape
static bool check_parameters(const shape_spec *spec, const toml_table *table, fault *why)
{
    for (int i = 0; i < table->count; i++) {
        const char *name = table->keys[i].name;
        bool parameter = false;
        for (size_t k = 0; k < SHAPE_COUNT; k++) {
            parameter = parameter || shape_needs(&shapes[k], name);
        }
        if (parameter && !shape_needs(spec, name)) {
            return fault_at(why, table->keys[i].where,
                             "'%s' does not belong to shape '%s'; expected %s", name, spec->name,
                             spec->needs[0]);
        }
    }
    for (int i = 0; i < 3 && spec->needs[i]; i++) {
        if (!keys_need(table, spec->needs[i], why)) {
            return false;
        }
    }
    return true;
}

// a length that is positive, also after conversion
static bool positive(const toml_table *table, const char *name, fault *why)
{
    const toml_key *key = toml_find(table, name);
    const int count = key->value.type == TOML_ARRAY ? key->value.count : 1;
    for (int i = 0; i < count; i++) {
        const double x =
            key->value.type == TOML_ARRAY ? key->value.items[i].number : key->value.number;
        if (!((ecp_real)x > (ecp_real)0)) {
            return fault_at(why, key->value.count ? key->value.items[i].where : key->value.where,
                            "'%s' is %g; expected more than 0", name, x);
        }
    }
    return true;
}

static bool read_halfspace(scenario_body *body, const toml_table *table, fault *why)
{
    double n[3];
    keys_numbers(table, "normal", n);
    const double largest = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    if (!(largest > 0.0)) {
        return fault_at(why, toml_find(table, "normal")->value.where,
                         "the normal has no length; expected a direction");
    }
    for (int i = 0; i < 3; i++) {
        n[i] /= largest; // no overflow in the squares
    }
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < 3; i++) {
        n[i] /= length;
    }
    body->shape.size = keys_vec3(n);
    body->shape.offset = (ecp_real)keys_number(table, "offset", 0.0);
    return true;
}

static bool read_sizes(scenario_body *body, const shape_spec *spec, const toml_table *table,
                       fault *why)
{
    for (int i = 0; i < 3 && spec->needs[i]; i++) {
        if (!positive(table, spec->needs[i], why)) {
            return false;
        }
    }
    double size[3] = { 0.0, 0.0, 0.0 };
    if (keys_numbers(table, "size", size)) {
        for (int i = 0; i < 3; i++) {
            size[i] /= 2.0;
        }
    } else if (!keys_numbers(table, "radii", size)) {
        const double r = keys_number(table, "radius", 0.0);
        size[0] = size[1] = size[2] = r;
        if (spec->kind == ECP_SHAPE_CYLINDER) {
            size[2] = keys_number(table, "length", 0.0) / 2.0;
        } else if (spec->kind == ECP_SHAPE_CONE) {
            size[2] = keys_number(table, "height", 0.0);
        }
    }
    body->shape.size = keys_vec3(size);
    return true;
}

static bool store_polytope(scenario_body *body, const hull *h, int line, fault *why)
{
    if (h->plane_count > ECP_MAX_FACETS) {
        return fault_set(why, line, "the shape has %d facets; expected at most ECP_MAX_FACETS = %d",
                         h->plane_count, ECP_MAX_FACETS);
    }
    body->planes = take((size_t)h->plane_count, sizeof *body->planes);
    body->vertices = take((size_t)h->vertex_count, sizeof *body->vertices);
    for (int i = 0; i < h->plane_count; i++) {
        body->planes[i] = (ecp_plane){ keys_vec3(h->planes[i]), (ecp_real)h->planes[i][3] };
    }
    for (int i = 0; i < h->vertex_count; i++) {
        body->vertices[i] = keys_vec3(h->vertices[i]);
    }
    body->shape.plane_count = h->plane_count;
    body->shape.vertex_count = h->vertex_count;
    body->shape.planes = body->planes;
    body->shape.vertices = body->vertices;
    return true;
}

static bool read_polytope(scenario_body *body, const shape_spec *spec, const toml_table *table,
                          fault *why)
{
    const toml_key *key = toml_find(table, spec->needs[0]);
    double *numbers = take((size_t)key->value.count, sizeof *numbers);
    const char *reason = "";
    hull h;
    keys_numbers(table, key->name, numbers);
    const bool of_points = strcmp(key->name, "points") == 0;
    const bool made = of_points ? hull_of_points(&h, numbers, key->value.count / 3, &reason)
                                : hull_of_planes(&h, numbers, key->value.count / 4, &reason);
    const bool ok =
        made ? store_polytope(body, &h, key->line, why) : fault_at(why, key->value.where, "%s", reason);
    hull_free(&h);
    free(numbers);
    return ok;
}

static bool read_shape(scenario_body *body, const toml_table *table, fault *why)
{
    const toml_key *key = keys_need(table, "shape", why);
    if (!key || !supported_shape(key, why)) {
        return false;
    }
    const shape_spec *spec = find_shape(key->value.string);
    if (!spec) {
        suggestion near = suggest(key->value.string);
        for (size_t i = 0; i < SHAPE_COUNT; i++) {
            suggest_offer(&near, shapes[i].name);
        }
        return fault_at(why, key->value.where,
                        "unknown shape '%.40s'; expected halfspace, box, sphere, ellipsoid, "
                        "cylinder, cone, hull, facets or pieces%s",
                        key->value.string, suggest_text(&near));
    }
    body->shape.kind = spec->kind;
    body->def.shape = &body->shape;
    if (!check_parameters(spec, table, why)) {
        return false;
    }
    body->line.shape = toml_find(table, spec->needs[0])->line;
    if (spec->kind == ECP_SHAPE_HALFSPACE && body->def.kind == ECP_DYNAMIC) {
        return fault_at(why, key->value.where,
                        "a halfspace cannot be dynamic; expected a bounded shape, or kind fixed or "
                        "kinematic");
    }
    return spec->kind == ECP_SHAPE_HALFSPACE  ? read_halfspace(body, table, why)
           : spec->kind == ECP_SHAPE_POLYTOPE ? read_polytope(body, spec, table, why)
                                              : read_sizes(body, spec, table, why);
}

// ---------------------------------------------------------------------------------------------
// mass

// the body origin is the centre of mass: a uniform polytope must have its centroid there
static bool check_centroid(const scenario_body *body, fault *why)
{
    const double tolerance = ECP_REAL_BITS == 32 ? 1e-5 : 1e-6;
    double size = 0.0, c[3] = { 0.0, 0.0, 0.0 };
    ecp_vec3 centroid = { 0, 0, 0 };
    ecp_real inertia[6];
    if (body->shape.kind != ECP_SHAPE_POLYTOPE) {
        return true;
    }
    if (ecp_shape_inertia(&body->shape, body->def.mass, &centroid, inertia) < 0) {
        return true; // ecp_add_body says what is wrong with the shape
    }
    for (int i = 0; i < body->shape.vertex_count; i++) {
        const ecp_vec3 v = body->vertices[i];
        size = fmax(size, sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y +
                               (double)v.z * (double)v.z));
    }
    c[0] = (double)centroid.x;
    c[1] = (double)centroid.y;
    c[2] = (double)centroid.z;
    if (sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]) > tolerance * size) {
        return fault_set(
            why, body->line.table,
            "'inertia' is missing and the centroid is at (%g, %g, %g); expected inertia, or "
            "the centroid in the origin",
            c[0], c[1], c[2]);
    }
    return true;
}

static bool read_inertia(scenario_body *body, const toml_table *table, fault *why)
{
    double inertia[6] = { 0.0 };
    const toml_key *key = toml_find(table, "inertia");
    if (!key) {
        return check_centroid(body, why);
    }
    keys_numbers(table, "inertia", inertia);
    body->line.inertia = key->line;
    for (int i = 0; i < 6; i++) {
        body->def.inertia[i] = (ecp_real)inertia[i];
        if (i < 3 && !(body->def.inertia[i] > (ecp_real)0)) {
            return fault_at(why, key->value.where,
                             "the moment of inertia %c%c is %g; expected more than 0", "xyz"[i],
                             "xyz"[i], inertia[i]);
        }
    }
    return true;
}

static bool read_lock(scenario_body *body, const toml_table *table, fault *why)
{
    static const char *const names[] = { "x", "y", "z", "rx", "ry", "rz" };
    const toml_key *key = toml_find(table, "lock");
    for (int i = 0; key && i < key->value.count; i++) {
        int bit = 0;
        while (bit < 6 && strcmp(names[bit], key->value.items[i].string) != 0) {
            bit++;
        }
        if (bit == 6) {
            return fault_at(why, key->value.items[i].where,
                             "'%.40s' cannot be locked; expected x, y, z, rx, ry or rz",
                             key->value.items[i].string);
        }
        body->def.lock |= 1u << bit;
    }
    return true;
}

static bool read_mass(scenario_body *body, const toml_table *table, fault *why)
{
    static const char *const own[] = { "mass", "inertia", "lock" };
    for (int i = 0; i < 3 && body->def.kind != ECP_DYNAMIC; i++) {
        const toml_key *key = toml_find(table, own[i]);
        // mass and inertia of a kinematic body are ignored, so that its kind alone can be changed
        if (key && (body->def.kind == ECP_FIXED || i == 2) && !(i == 2 && key->value.count == 0)) {
            return fault_at(why, key->value.where,
                             "'%s' on a body that is not dynamic; expected kind dynamic or "
                             "no '%s'",
                             own[i], own[i]);
        }
    }
    if (body->def.kind != ECP_DYNAMIC) {
        return true;
    }
    const toml_key *mass = keys_need(table, "mass", why);
    if (!mass || !positive(table, "mass", why)) {
        return false;
    }
    body->line.mass = mass->line;
    body->def.mass = (ecp_real)mass->value.number;
    return read_inertia(body, table, why) && read_lock(body, table, why);
}

// ---------------------------------------------------------------------------------------------
// state

static bool read_orientation(scenario_body *body, const toml_table *table, fault *why)
{
    double q[4] = { 1.0, 0.0, 0.0, 0.0 };
    keys_numbers(table, "orientation", q);
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(length - 1.0) <= 1e-3)) {
        return fault_at(why, toml_find(table, "orientation")->value.where,
                         "the quaternion has length %g; expected w,x,y,z of length 1 within 1e-3",
                         length);
    }
    body->def.state.orientation =
        (ecp_quat){ (ecp_real)(q[0] / length), (ecp_real)(q[1] / length), (ecp_real)(q[2] / length),
                    (ecp_real)(q[3] / length) };
    return true;
}

// energies and distances are made of squares
static bool square_fits(ecp_vec3 a)
{
    const ecp_real square = a.x * a.x + a.y * a.y + a.z * a.z;
    return isfinite((double)square);
}

static bool read_state(scenario_body *body, const toml_table *table, fault *why)
{
    static const char *const names[] = { "position", "velocity", "angular_velocity" };
    ecp_vec3 *const targets[] = { &body->def.state.position, &body->def.state.velocity,
                                  &body->def.state.angular_velocity };
    for (int i = 0; i < 3; i++) {
        double v[3] = { 0.0, 0.0, 0.0 };
        const toml_key *key = toml_find(table, names[i]);
        keys_numbers(table, names[i], v);
        if (i > 0 && body->def.kind == ECP_FIXED && (fabs(v[0]) + fabs(v[1]) + fabs(v[2]) > 0.0)) {
            return fault_at(why, key->value.where,
                             "'%s' on a fixed body; expected kind kinematic or dynamic, or "
                             "no '%s'",
                             names[i], names[i]);
        }
        *targets[i] = keys_vec3(v);
        if (key && !square_fits(*targets[i])) {
            return fault_at(why, key->value.where,
                            "'%s' is too large; expected numbers whose squares are finite", names[i]);
        }
    }
    return read_orientation(body, table, why);
}

bool body_read(scenario *s, const toml_table *table, fault *why)
{
    scenario_body *body = &s->bodies[s->body_count];
    if (s->body_count >= ECP_MAX_BODIES) {
        return fault_set(why, table->line, "too many bodies; expected at most ECP_MAX_BODIES = %d",
                         ECP_MAX_BODIES);
    }
    memset(body, 0, sizeof *body);
    body->line.table = table->line;
    if (read_name(s, body, table, why) && read_kind(body, table, why) &&
        read_shape(body, table, why) && read_mass(body, table, why) &&
        read_state(body, table, why)) {
        s->body_count++;
        return true;
    }
    body_free(body);
    return false;
}

void body_free(scenario_body *body)
{
    free(body->name);
    free(body->planes);
    free(body->vertices);
    memset(body, 0, sizeof *body);
}
