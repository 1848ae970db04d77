// scene.h - small worlds for the physics tests: one body and half-spaces.
#ifndef ECP_TEST_SCENE_H
#define ECP_TEST_SCENE_H

#include "test.h"

#include "math/quat.h"

static ecp_world scene_world;
static const ecp_shape scene_floor = ECP_HALFSPACE(0, 0, 1, 0);

static inline ecp_state scene_at(double x, double y, double z)
{
    return (ecp_state){ .position = { (ecp_real)x, (ecp_real)y, (ecp_real)z },
                        .orientation = { 1, 0, 0, 0 } };
}

static inline void scene_begin(double g)
{
    const ecp_settings s = { .gravity = { 0, 0, (ecp_real)-g } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(&scene_world, &s));
}

static inline int scene_plane(const ecp_shape *shape)
{
    const ecp_body_def d = { .kind = ECP_FIXED, .shape = shape, .state = scene_at(0, 0, 0) };
    int id = -1;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scene_world, &d, &id));
    return id;
}

static inline int scene_body(const ecp_shape *shape, double mass, ecp_state state)
{
    const ecp_body_def d = { .kind = ECP_DYNAMIC, .shape = shape, .mass = (ecp_real)mass, .state = state };
    int id = -1;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scene_world, &d, &id));
    return id;
}

static inline void scene_contact(int a, int b, double mu, double et, double eo, double er)
{
    const ecp_contact_def d = { .a = a, .b = b, .mu = (ecp_real)mu,
                                .e = { (ecp_real)et, (ecp_real)eo, (ecp_real)er } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_contact(&scene_world, &d, NULL));
}

/// One body on the floor z = 0 (ids: floor 0, body 1).
static inline void scene_on_floor(const ecp_shape *shape, double mass, ecp_state state, double g,
                                  double mu, double er)
{
    scene_begin(g);
    (void)scene_plane(&scene_floor);
    (void)scene_body(shape, mass, state);
    scene_contact(1, 0, mu, 1, 1, er);
}

static inline ecp_state scene_state(int body)
{
    ecp_state s;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&scene_world, body, &s));
    return s;
}

#endif
