// world.c - describing a world and changing it between steps; every argument is checked here.
#include "world/body.h"
#include "world/pairs.h"

static ecp_status refuse(ecp_world *world, ecp_status status, const char *text)
{
    world->error = text;
    return status;
}

const char *ecp_status_name(ecp_status status)
{
    switch (status) {
    case ECP_OK: return "ECP_OK";
    case ECP_DEGRADED: return "ECP_DEGRADED";
    case ECP_DEADLINE: return "ECP_DEADLINE";
    case ECP_SUBSTEPPED: return "ECP_SUBSTEPPED";
    case ECP_E_ARG: return "ECP_E_ARG";
    case ECP_E_LIMIT: return "ECP_E_LIMIT";
    case ECP_E_SHAPE: return "ECP_E_SHAPE";
    case ECP_E_MASS: return "ECP_E_MASS";
    case ECP_E_STATE: return "ECP_E_STATE";
    case ECP_E_DIVERGED: return "ECP_E_DIVERGED";
    default: return "unknown status";
    }
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *ecp_version(void)
{
    return TEXT(ECP_VERSION_MAJOR) "." TEXT(ECP_VERSION_MINOR) "." TEXT(ECP_VERSION_PATCH);
}

const char *ecp_error(const ecp_world *world)
{
    return world != NULL && world->error != NULL ? world->error : "";
}

ecp_status ecp_world_init(ecp_world *world, const ecp_settings *settings)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (settings == NULL) {
        return refuse(world, ECP_E_ARG, "settings are null");
    }
    const ecp_real tol = settings->tolerance, speed = settings->recovery_speed;
    const bool tol_ok = ecp_finite(tol) && ((tol >= ECP_R(1e-12) && tol <= ECP_R(1e-2)) ||
                                            !(ecp_fabs(tol) > ECP_R(0.0)));
    if (!ecp_v3_finite(settings->gravity)) {
        return refuse(world, ECP_E_ARG, "gravity must be finite");
    }
    if (!tol_ok) {
        return refuse(world, ECP_E_ARG, "tolerance must be 1e-12 to 1e-2, or 0 for the default");
    }
    if (!ecp_finite(speed) || speed < ECP_R(0.0)) {
        return refuse(world, ECP_E_ARG, "recovery_speed must be finite and 0 or more");
    }
    *world = (ecp_world){ .settings = *settings };
    if (!(tol > ECP_R(0.0))) {
        world->settings.tolerance = ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-11);
    }
    if (!(speed > ECP_R(0.0))) {
        world->settings.recovery_speed = ECP_R(0.1);
    }
    return ECP_OK;
}

// finite, and so is the square of its length: lengths and energies are taken of it
static bool length_ok(ecp_vec3 a)
{
    return ecp_v3_finite(a) && ecp_finite(ecp_v3_dot(a, a));
}

// finite, quaternion within 1e-3 of unit length; normalises it
static bool state_ok(ecp_state *s)
{
    if (!length_ok(s->position) || !ecp_quat_finite(s->orientation) || !length_ok(s->velocity) ||
        !length_ok(s->angular_velocity)) {
        return false;
    }
    if (!(ecp_fabs(ecp_quat_norm(s->orientation) - ECP_R(1.0)) <= ECP_R(1e-3))) {
        return false;
    }
    s->orientation = ecp_quat_normalised(s->orientation);
    return true;
}

// given inertia, or that of uniform density when all six are 0
static ecp_status body_mass(ecp_world *world, ecp_body *b, ecp_real mass, const ecp_real inertia[6])
{
    ecp_real I[6], sum = 0;
    for (int i = 0; i < 6; i++) {
        I[i] = inertia[i];
        sum += ecp_fabs(I[i]);
    }
    if (!(mass > ECP_R(0.0)) || !ecp_finite(mass)) {
        return refuse(world, ECP_E_MASS, "mass must be positive and finite");
    }
    if (!(ecp_fabs(sum) > ECP_R(0.0)) && ecp_finite(sum)) {
        ecp_vec3 c;
        if (ecp_shape_inertia(b->shape, mass, &c, I) != ECP_OK) {
            return refuse(world, ECP_E_MASS, "inertia is needed: the shape has no volume");
        }
        if (ecp_v3_norm(c) > ECP_R(1e-6) * b->radius * (ECP_REAL_BITS == 32 ? ECP_R(100.0) : ECP_R(1.0))) {
            return refuse(world, ECP_E_MASS,
                          "inertia is needed: the centroid of the shape is not the body origin");
        }
    }
    if (!ecp_body_mass_ok(mass, I)) {
        return refuse(world, ECP_E_MASS,
                      "inertia must be positive definite and keep the triangle inequality");
    }
    b->mass = mass;
    for (int i = 0; i < 6; i++) {
        b->inertia[i] = I[i];
    }
    return ECP_OK;
}

static bool has_velocity(const ecp_state *s)
{
    return ecp_v3_dot(s->velocity, s->velocity) > ECP_R(0.0) ||
           ecp_v3_dot(s->angular_velocity, s->angular_velocity) > ECP_R(0.0);
}

ecp_status ecp_add_body(ecp_world *world, const ecp_body_def *def, int *id)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (def == NULL) {
        return refuse(world, ECP_E_ARG, "body definition is null");
    }
    if (world->body_count >= ECP_MAX_BODIES) {
        return refuse(world, ECP_E_LIMIT, "more bodies than ECP_MAX_BODIES");
    }
    if (def->kind != ECP_FIXED && def->kind != ECP_KINEMATIC && def->kind != ECP_DYNAMIC) {
        return refuse(world, ECP_E_ARG, "body kind must be fixed, kinematic or dynamic");
    }
    if (def->lock > 63u || (def->lock != 0 && def->kind != ECP_DYNAMIC)) {
        return refuse(world, ECP_E_ARG, "lock must be ECP_LOCK_* bits of a dynamic body");
    }
    const char *why = "shape is malformed";
    const ecp_status shape = ecp_shape_check(def->shape, &why);
    if (shape < 0) {
        return refuse(world, shape, why);
    }
    ecp_body b = { .kind = def->kind, .shape = def->shape, .lock = def->lock, .state = def->state };
    if (!state_ok(&b.state)) {
        return refuse(world, ECP_E_STATE, "state must be finite, its quaternion of unit length");
    }
    if (def->kind == ECP_FIXED && has_velocity(&b.state)) {
        return refuse(world, ECP_E_STATE, "a fixed body must have zero velocity");
    }
    b.radius = ecp_shape_radius(def->shape);
    if (def->kind == ECP_DYNAMIC) {
        if (def->shape->kind == ECP_SHAPE_HALFSPACE) {
            return refuse(world, ECP_E_SHAPE, "a half-space is unbounded: it cannot be dynamic");
        }
        const ecp_status mass = body_mass(world, &b, def->mass, def->inertia);
        if (mass < 0) {
            return mass;
        }
        ecp_body_lock(&b.state, b.lock);
    }
    world->body[world->body_count] = b;
    if (id != NULL) {
        *id = world->body_count;
    }
    world->body_count++;
    return ECP_OK;
}

static bool friction_ok(ecp_real mu, const ecp_real e[3])
{
    return ecp_finite(mu) && mu >= ECP_R(0.0) && ecp_finite(e[0]) && e[0] > ECP_R(0.0) &&
           ecp_finite(e[1]) && e[1] > ECP_R(0.0) && ecp_finite(e[2]) && e[2] >= ECP_R(0.0);
}

static bool body_id_ok(const ecp_world *world, int body)
{
    return body >= 0 && body < world->body_count;
}

ecp_status ecp_add_contact(ecp_world *world, const ecp_contact_def *def, int *id)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (def == NULL) {
        return refuse(world, ECP_E_ARG, "contact definition is null");
    }
    if (!body_id_ok(world, def->a) || !body_id_ok(world, def->b) || def->a == def->b) {
        return refuse(world, ECP_E_ARG, "contact needs the ids of two different bodies");
    }
    if (!friction_ok(def->mu, def->e)) {
        return refuse(world, ECP_E_ARG, "friction needs mu >= 0, e_t > 0, e_o > 0, e_r >= 0");
    }
    if (!ecp_v3_finite(def->axis)) {
        return refuse(world, ECP_E_ARG, "contact axis must be finite");
    }
    const ecp_body *a = &world->body[def->a], *b = &world->body[def->b];
    if (a->kind != ECP_DYNAMIC && b->kind != ECP_DYNAMIC) {
        return refuse(world, ECP_E_ARG, "contact needs at least one dynamic body");
    }
    for (int i = 0; i < world->contact_count; i++) {
        const ecp_contact *c = &world->contact[i];
        if ((c->a == def->a && c->b == def->b) || (c->a == def->b && c->b == def->a)) {
            return refuse(world, ECP_E_ARG, "these two bodies have a contact already");
        }
    }
    const char *why = ecp_pair_refusal(a->shape, b->shape);
    if (why != NULL) {
        return refuse(world, ECP_E_ARG, why);
    }
    if (world->contact_count >= ECP_MAX_CONTACTS) {
        return refuse(world, ECP_E_LIMIT, "more contacts than ECP_MAX_CONTACTS");
    }
    ecp_contact *c = &world->contact[world->contact_count];
    *c = (ecp_contact){ .a = def->a, .b = def->b, .mu = def->mu, .axis = def->axis,
                        .e = { def->e[0], def->e[1], def->e[2] } };
    if (id != NULL) {
        *id = world->contact_count;
    }
    world->contact_count++;
    return ECP_OK;
}

ecp_status ecp_set_state(ecp_world *world, int body, const ecp_state *state)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (state == NULL) {
        return refuse(world, ECP_E_ARG, "state is null");
    }
    if (!body_id_ok(world, body)) {
        return refuse(world, ECP_E_ARG, "unknown body id");
    }
    ecp_state s = *state;
    if (!state_ok(&s)) {
        return refuse(world, ECP_E_STATE, "state must be finite, its quaternion of unit length");
    }
    if (world->body[body].kind == ECP_FIXED && has_velocity(&s)) {
        return refuse(world, ECP_E_STATE, "a fixed body must have zero velocity");
    }
    ecp_body_lock(&s, world->body[body].lock);
    world->body[body].state = s;
    world->body[body].carry = (ecp_carry){ .v = { 0, 0, 0 } };
    return ECP_OK;
}

ecp_status ecp_get_state(const ecp_world *world, int body, ecp_state *state)
{
    if (world == NULL || state == NULL || !body_id_ok(world, body)) {
        return ECP_E_ARG;
    }
    *state = world->body[body].state;
    return ECP_OK;
}

static ecp_status load_check(ecp_world *world, int body, ecp_vec3 force, ecp_vec3 torque)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (!body_id_ok(world, body) || world->body[body].kind != ECP_DYNAMIC) {
        return refuse(world, ECP_E_ARG, "loads need the id of a dynamic body");
    }
    if (!ecp_v3_finite(force) || !ecp_v3_finite(torque)) {
        return refuse(world, ECP_E_ARG, "force and torque must be finite");
    }
    return ECP_OK;
}

ecp_status ecp_set_wrench(ecp_world *world, int body, ecp_vec3 force, ecp_vec3 torque)
{
    const ecp_status status = load_check(world, body, force, torque);
    if (status == ECP_OK) {
        world->body[body].force = force;
        world->body[body].torque = torque;
    }
    return status;
}

ecp_status ecp_apply_impulse(ecp_world *world, int body, ecp_vec3 force, ecp_vec3 torque)
{
    const ecp_status status = load_check(world, body, force, torque);
    if (status == ECP_OK) {
        ecp_body *b = &world->body[body];
        b->impulse = ecp_v3_add(b->impulse, force);
        b->angular_impulse = ecp_v3_add(b->angular_impulse, torque);
    }
    return status;
}

ecp_status ecp_set_friction(ecp_world *world, int contact, ecp_real mu, const ecp_real e[3])
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (e == NULL) {
        return refuse(world, ECP_E_ARG, "e is null");
    }
    if (contact < 0 || contact >= world->contact_count || !friction_ok(mu, e)) {
        return refuse(world, ECP_E_ARG, "friction needs a contact id, mu >= 0, e_t > 0, e_o > 0, e_r >= 0");
    }
    ecp_contact *c = &world->contact[contact];
    c->mu = mu;
    for (int i = 0; i < 3; i++) {
        c->e[i] = e[i];
    }
    return ECP_OK;
}

ecp_status ecp_set_mass(ecp_world *world, int body, ecp_real mass, const ecp_real inertia[6])
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (inertia == NULL) {
        return refuse(world, ECP_E_ARG, "inertia is null");
    }
    if (!body_id_ok(world, body) || world->body[body].kind != ECP_DYNAMIC) {
        return refuse(world, ECP_E_ARG, "mass needs the id of a dynamic body");
    }
    return body_mass(world, &world->body[body], mass, inertia);
}

ecp_real ecp_energy(const ecp_world *world)
{
    ecp_real sum = 0;
    for (int i = 0; world != NULL && i < world->body_count; i++) {
        const ecp_body *b = &world->body[i];
        if (b->kind != ECP_DYNAMIC) {
            continue;
        }
        const ecp_mat3 R = ecp_quat_matrix(b->state.orientation), I = ecp_m3_symmetric(b->inertia);
        const ecp_vec3 w = ecp_m3_tmulv(&R, b->state.angular_velocity);
        sum += ECP_R(0.5) * b->mass * ecp_v3_dot(b->state.velocity, b->state.velocity);
        sum += ECP_R(0.5) * ecp_v3_dot(w, ecp_m3_mulv(&I, w));
        sum -= b->mass * ecp_v3_dot(world->settings.gravity, b->state.position);
    }
    return sum;
}
