// Coverage-guided fuzzing of the public API (libFuzzer): the bytes are a sequence of calls with
// arbitrary arguments. Whatever they are, a refused call changes nothing but the text of the refusal,
// an accepted one leaves a finite world of unit quaternions, a step ends within its cap and goes no
// deeper than it began, and nothing is written outside the world.
#include "ecp.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct tape {
    const uint8_t *at, *end;
} tape;

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "does not hold: %s\n", what);
        abort();
    }
}

static unsigned byte(tape *t)
{
    return t->at < t->end ? *t->at++ : 0u;
}

// mostly small and plain, now and then any bit pattern
static ecp_real number(tape *t)
{
    const unsigned kind = byte(t);
    if (kind >= 250u) {
        static const double odd[] = { (double)INFINITY, (double)-INFINITY, (double)NAN, 1e300, 1e-300, -0.0 };
        return (ecp_real)odd[kind - 250u];
    }
    if (kind >= 240u) {
        unsigned char bits[sizeof(ecp_real)];
        ecp_real x;
        for (size_t i = 0; i < sizeof bits; i++) {
            bits[i] = (unsigned char)byte(t);
        }
        memcpy(&x, bits, sizeof x);
        return x;
    }
    return ((ecp_real)kind - (ecp_real)120) / (ecp_real)(kind & 1u ? 40 : 640);
}

static ecp_vec3 vector(tape *t)
{
    return (ecp_vec3){ number(t), number(t), number(t) };
}

static ecp_state state_of(tape *t)
{
    ecp_state s = { .position = vector(t), .velocity = vector(t), .angular_velocity = vector(t) };
    const double q[4] = { (double)number(t), (double)number(t), (double)number(t), (double)number(t) };
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const bool mend = byte(t) < 230u && isfinite(length) && length > 1e-3;
    const double k = mend ? 1.0 / length : 1.0;
    s.orientation = (ecp_quat){ (ecp_real)(k * q[0]), (ecp_real)(k * q[1]), (ecp_real)(k * q[2]), (ecp_real)(k * q[3]) };
    return s;
}

// ---------------------------------------------------------------------------------------------

static struct {
    unsigned char before[64];
    ecp_world world;
    unsigned char behind[64];
} place;
static ecp_world copy;
static ecp_snapshot snapshot;
static ecp_shape shapes[16];
static int shape_count;

#define KEPT offsetof(ecp_world, saved_state)

static const ecp_shape *shape_of(tape *t)
{
    if (shape_count == 16) {
        return &shapes[byte(t) % 16u];
    }
    const ecp_shape list[] = { ECP_HALFSPACE(0, 0, 1, 0),
                               ECP_HALFSPACE(1, 0, 0, number(t)),
                               ECP_BOX(number(t), number(t), number(t)),
                               ECP_SPHERE(number(t)),
                               ECP_ELLIPSOID(number(t), number(t), number(t)),
                               ECP_CYLINDER(number(t), number(t)),
                               ECP_CONE(number(t), number(t)) };
    shapes[shape_count] = list[byte(t) % (sizeof list / sizeof *list)];
    return &shapes[shape_count++];
}

static ecp_status add_body(tape *t)
{
    ecp_body_def d = { .kind = (ecp_body_kind)(byte(t) % 5u), .mass = number(t), .state = state_of(t) };
    d.shape = byte(t) < 250u ? shape_of(t) : NULL;
    d.lock = byte(t) < 40u ? byte(t) : 0u;
    if (byte(t) < 60u) {
        for (int i = 0; i < 6; i++) {
            d.inertia[i] = number(t);
        }
    }
    if (d.kind == ECP_FIXED && byte(t) < 200u) {
        d.state.velocity = d.state.angular_velocity = (ecp_vec3){ 0, 0, 0 };
    }
    return ecp_add_body(&place.world, &d, NULL);
}

static ecp_status add_contact(tape *t)
{
    ecp_contact_def d = { .a = (int)byte(t) % 9 - 1, .b = (int)byte(t) % 9 - 1, .mu = number(t) };
    for (int i = 0; i < 3; i++) {
        d.e[i] = number(t);
    }
    if (byte(t) < 60u) {
        d.axis = vector(t);
    }
    return ecp_add_contact(&place.world, &d, NULL);
}

static void require_finite(const ecp_report *r)
{
    require(r->iterations >= 0 && r->iterations <= ECP_MAX_ITERATIONS, "iterations within the cap");
    require(isfinite((double)r->residual) && isfinite((double)r->gap_min), "residual and gap are finite");
    for (int k = 0; k < r->contact_count; k++) {
        const ecp_contact_report *c = &r->contact[k];
        const ecp_real x[] = { c->a.x, c->a.y, c->a.z, c->n.x, c->n.y,  c->n.z,   c->t.x,  c->t.y,    c->t.z,
                               c->gap, c->pn,  c->pt,  c->po,  c->pr,   c->sigma, c->edge, c->reserve };
        for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
            require(isfinite((double)x[i]), "a report is finite");
        }
    }
}

static void require_good_world(void)
{
    for (int i = 0; i < place.world.body_count; i++) {
        ecp_state s;
        require(ecp_get_state(&place.world, i, &s) == ECP_OK, "a state can be read");
        const double q = sqrt((double)s.orientation.w * (double)s.orientation.w +
                              (double)s.orientation.x * (double)s.orientation.x +
                              (double)s.orientation.y * (double)s.orientation.y +
                              (double)s.orientation.z * (double)s.orientation.z);
        require(isfinite((double)(s.position.x + s.position.y + s.position.z)) &&
                    isfinite((double)(s.velocity.x + s.velocity.y + s.velocity.z)) &&
                    isfinite((double)(s.angular_velocity.x + s.angular_velocity.y + s.angular_velocity.z)),
                "a state is finite");
        require(fabs(q - 1.0) < 1e-5, "a quaternion is of unit length");
    }
}

static ecp_status step(tape *t)
{
    static ecp_report report;
    const unsigned kind = byte(t);
    const ecp_real h = kind < 200u ? (ecp_real)(kind + 1u) / (ecp_real)10000 : number(t);
    const ecp_status status = ecp_step(&place.world, h, byte(t) < 240u ? &report : NULL);
    if (status >= 0) {
        require_good_world();
    }
    require_finite(&report);
    return status;
}

static ecp_status call(tape *t)
{
    ecp_world *w = &place.world;
    const int id = (int)byte(t) % 8 - 1;
    switch (byte(t) % 14u) {
    case 0: return add_body(t);
    case 1: return add_contact(t);
    case 2: {
        const ecp_state s = state_of(t);
        return ecp_set_state(w, id, &s);
    }
    case 3: {
        const ecp_vec3 f = vector(t);
        return ecp_set_wrench(w, id, f, vector(t));
    }
    case 4: {
        const ecp_vec3 f = vector(t);
        return ecp_apply_impulse(w, id, f, vector(t));
    }
    case 5: {
        const ecp_real e[3] = { number(t), number(t), number(t) };
        return ecp_set_friction(w, id, number(t), e);
    }
    case 6: {
        const ecp_real I[6] = { number(t), number(t), number(t), number(t), 0, 0 };
        return ecp_set_mass(w, id, number(t), I);
    }
    case 7: return ecp_save(w, &snapshot);
    case 8: return ecp_restore(w, &snapshot);
    case 9: {
        // damage in what may hold anything
        unsigned char *warm = (unsigned char *)&w->contact[byte(t) % ECP_MAX_CONTACTS].warm;
        warm[byte(t) % sizeof(ecp_warm)] ^= (unsigned char)byte(t);
        return ECP_OK;
    }
    default: return step(t);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tape t = { data, data + size };
    memset(&place, 0xA5, sizeof place);
    shape_count = 0;
    const ecp_settings settings = { .gravity = vector(&t) };
    const ecp_settings plain = { .gravity = { 0, 0, -9 } };
    if (ecp_world_init(&place.world, &settings) != ECP_OK) {
        require(ecp_world_init(&place.world, &plain) == ECP_OK, "plain settings are accepted");
    }
    require(ecp_save(&place.world, &snapshot) == ECP_OK, "an empty world can be saved");
    for (int calls = 0; calls < 200 && t.at < t.end; calls++) {
        memcpy(&copy, &place.world, KEPT);
        if (call(&t) < 0) {
            require(ecp_error(&place.world)[0] != '\0', "a refusal has a text");
            copy.error = place.world.error;
            require(memcmp(&copy, &place.world, KEPT) == 0, "a refused call changes nothing");
        }
    }
    for (size_t i = 0; i < sizeof place.before; i++) {
        require(place.before[i] == 0xA5 && place.behind[i] == 0xA5, "nothing is written outside the world");
    }
    return 0;
}
