#include "cube_slide.h"

#include <ecp.h>
#include <string.h>

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0);
static const ecp_shape cube_shape = ECP_BOX(1, 1, 1);
static ecp_world world;

static ecp_status describe(void)
{
    const ecp_settings settings = { .gravity = { 0, 0, (ecp_real)-9.8 } };
    const ecp_body_def floor_def = { .kind = ECP_FIXED, .shape = &floor_shape,
                                     .state = { .orientation = { 1, 0, 0, 0 } } };
    const ecp_body_def cube_def = { .kind = ECP_DYNAMIC, .shape = &cube_shape, .mass = 1,
                                    .state = { .position = { 0, 0, (ecp_real)0.5 },
                                               .orientation = { 1, 0, 0, 0 },
                                               .velocity = { 4, 3, 0 } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = (ecp_real)0.12, .e = { 1, 1, 1 } };
    ecp_status status = ecp_world_init(&world, &settings);
    status = status < 0 ? status : ecp_add_body(&world, &floor_def, NULL);
    status = status < 0 ? status : ecp_add_body(&world, &cube_def, NULL);
    return status < 0 ? status : ecp_add_contact(&world, &touch, NULL);
}

// FNV-1a over the bits of the state, least significant byte first on every machine
static uint64_t hash_state(uint64_t hash, const ecp_state *s)
{
    const ecp_real reals[13] = { s->position.x, s->position.y, s->position.z, s->orientation.w,
                                 s->orientation.x, s->orientation.y, s->orientation.z,
                                 s->velocity.x, s->velocity.y, s->velocity.z,
                                 s->angular_velocity.x, s->angular_velocity.y,
                                 s->angular_velocity.z };
    for (int i = 0; i < 13; i++) {
#if ECP_REAL_BITS == 32
        uint32_t bits;
#else
        uint64_t bits;
#endif
        memcpy(&bits, &reals[i], sizeof bits);
        for (unsigned byte = 0; byte < sizeof bits; byte++) {
            hash = (hash ^ (bits >> (8u * byte) & 0xffu)) * UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

uint64_t cube_slide(void)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (describe() < 0) {
        return 0;
    }
    for (int k = 0; k < 400; k++) {
        ecp_state cube;
        if (ecp_step(&world, (ecp_real)0.01, NULL) < 0 || ecp_get_state(&world, 1, &cube) < 0) {
            return 0;
        }
        hash = hash_state(hash, &cube);
    }
    return hash;
}
