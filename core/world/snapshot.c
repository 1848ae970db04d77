// snapshot.c - save and restore: exact, checked against the description and against corruption.
#include "math/real.h"

// FNV-1a over the bytes of objects that have no padding
#define HASH_START UINT32_C(2166136261)

static uint32_t hash_bytes(uint32_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * UINT32_C(16777619);
    }
    return hash;
}

static uint32_t hash_int(uint32_t hash, int value)
{
    return hash_bytes(hash, &value, sizeof value);
}

// a snapshot fits a world of the same settings, kinds, sizes and pairs
static uint32_t description_of(const ecp_world *w)
{
    uint32_t h = hash_int(HASH_START, (int)sizeof(ecp_snapshot));
    h = hash_bytes(h, &w->settings, sizeof w->settings);
    h = hash_int(hash_int(h, w->body_count), w->contact_count);
    for (int i = 0; i < w->body_count; i++) {
        const ecp_body *b = &w->body[i];
        h = hash_int(hash_int(hash_int(h, (int)b->kind), (int)b->lock), (int)b->shape->kind);
        h = hash_bytes(h, &b->radius, sizeof b->radius);
    }
    for (int k = 0; k < w->contact_count; k++) {
        const ecp_contact *c = &w->contact[k];
        h = hash_int(hash_int(h, c->a), c->b);
        h = hash_bytes(h, &c->axis, sizeof c->axis);
    }
    return h;
}

// records of bodies are reals only; of contacts the parts are taken, which leaves padding out
_Static_assert(sizeof(ecp_body_snapshot) == 38 * sizeof(ecp_real), "a body record has no padding");

static uint32_t content_of(const ecp_snapshot *s, const ecp_world *w)
{
    uint32_t h = hash_bytes(s->description, s->body, (size_t)w->body_count * sizeof s->body[0]);
    for (int k = 0; k < w->contact_count; k++) {
        const ecp_contact_snapshot *c = &s->contact[k];
        h = hash_bytes(h, &c->mu, sizeof c->mu);
        h = hash_bytes(h, c->e, sizeof c->e);
        h = hash_int(h, c->warm.count);
        h = hash_bytes(h, c->warm.feature, sizeof c->warm.feature);
        h = hash_bytes(h, c->warm.lam, sizeof c->warm.lam);
        h = hash_bytes(h, c->warm.phat, sizeof c->warm.phat);
        h = hash_int(hash_int(h, c->warm.incident), c->warm.facet);
        h = hash_bytes(h, c->warm.side, sizeof c->warm.side);
        h = hash_bytes(h, c->warm.eta, sizeof c->warm.eta);
    }
    return h;
}

static ecp_body_snapshot save_body(const ecp_body *b)
{
    ecp_body_snapshot s = { .state = b->state, .carry = b->carry, .force = b->force,
                            .torque = b->torque, .impulse = b->impulse,
                            .angular_impulse = b->angular_impulse, .mass = b->mass };
    for (int i = 0; i < 6; i++) {
        s.inertia[i] = b->inertia[i];
    }
    return s;
}

static void restore_body(ecp_body *b, const ecp_body_snapshot *s)
{
    b->state = s->state;
    b->carry = s->carry;
    b->force = s->force;
    b->torque = s->torque;
    b->impulse = s->impulse;
    b->angular_impulse = s->angular_impulse;
    b->mass = s->mass;
    for (int i = 0; i < 6; i++) {
        b->inertia[i] = s->inertia[i];
    }
}

ecp_status ecp_save(const ecp_world *world, ecp_snapshot *snapshot)
{
    if (world == NULL || snapshot == NULL) {
        return ECP_E_ARG;
    }
    // places without a body or contact are zeroed: a snapshot holds nothing of the caller's stack
    for (int i = 0; i < ECP_MAX_BODIES; i++) {
        snapshot->body[i] = i < world->body_count ? save_body(&world->body[i])
                                                  : (ecp_body_snapshot){ .mass = 0 };
    }
    for (int k = 0; k < ECP_MAX_CONTACTS; k++) {
        const ecp_contact *c = &world->contact[k];
        snapshot->contact[k] = k < world->contact_count
                                   ? (ecp_contact_snapshot){ .mu = c->mu, .warm = c->warm,
                                                             .e = { c->e[0], c->e[1], c->e[2] } }
                                   : (ecp_contact_snapshot){ .mu = 0 };
    }
    snapshot->description = description_of(world);
    snapshot->check = content_of(snapshot, world);
    return ECP_OK;
}

static ecp_status refuse(ecp_world *world, const char *text)
{
    world->error = text;
    return ECP_E_ARG;
}

ecp_status ecp_restore(ecp_world *world, const ecp_snapshot *snapshot)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (snapshot == NULL) {
        return refuse(world, "snapshot is a null pointer");
    }
    if (snapshot->description != description_of(world)) {
        return refuse(world, "snapshot is of a world with another description");
    }
    if (snapshot->check != content_of(snapshot, world)) {
        return refuse(world, "snapshot is damaged: its checksum does not hold");
    }
    for (int i = 0; i < world->body_count; i++) {
        restore_body(&world->body[i], &snapshot->body[i]);
    }
    for (int k = 0; k < world->contact_count; k++) {
        const ecp_contact_snapshot *s = &snapshot->contact[k];
        world->contact[k].mu = s->mu;
        world->contact[k].warm = s->warm;
        for (int i = 0; i < 3; i++) {
            world->contact[k].e[i] = s->e[i];
        }
    }
    return ECP_OK;
}
