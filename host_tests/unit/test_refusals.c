// What the library refuses: with which status, with a text, and with nothing changed.
#include "scene.h"

static const ecp_shape box_shape = ECP_BOX(1, 2, 3);
static ecp_world before;

static ecp_body_def box_def(void)
{
    return (ecp_body_def){ .kind = ECP_DYNAMIC, .shape = &box_shape, .mass = 2, .state = scene_at(0, 0, 2) };
}

static void start(void)
{
    scene_on_floor(&box_shape, 2, scene_at(0, 0, 1.5), 9.81, 0.5, 0.1);
}

// the status, and a world that is as it was but for the text of the refusal
static void refused(ecp_status expected, ecp_status got)
{
    TEST_ASSERT_EQUAL_INT(expected, got);
    TEST_ASSERT_TRUE_MESSAGE(ecp_error(&scene_world)[0] != '\0', "a refusal has a text");
    scene_world.error = before.error;
    TEST_ASSERT_EQUAL_MEMORY(&before, &scene_world, sizeof before);
}

#define REFUSED(status, call)                                                                      \
    do {                                                                                           \
        before = scene_world;                                                                      \
        refused(status, call);                                                                     \
    } while (0)

static const ecp_real bad_numbers[] = { (ecp_real)INFINITY, -(ecp_real)INFINITY, (ecp_real)NAN };

static void test_settings_out_of_range_are_refused(void)
{
    start();
    for (int i = 0; i < 3; i++) {
        REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, &(ecp_settings){ .gravity = { 0, bad_numbers[i], 0 } }));
        REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, &(ecp_settings){ .tolerance = bad_numbers[i] }));
        REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, &(ecp_settings){ .recovery_speed = bad_numbers[i] }));
    }
    REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, &(ecp_settings){ .tolerance = ECP_R(0.02) }));
    REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, &(ecp_settings){ .tolerance = ECP_R(1e-13) }));
    REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, &(ecp_settings){ .recovery_speed = -1 }));
    REFUSED(ECP_E_ARG, ecp_world_init(&scene_world, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_world_init(NULL, &scene_world.settings));
    TEST_ASSERT_EQUAL_STRING("", ecp_error(NULL));
}

static void test_null_pointers_are_refused(void)
{
    ecp_state s = scene_at(0, 0, 0);
    const ecp_vec3 zero = { 0, 0, 0 };
    const ecp_real six[6] = { 1, 1, 1, 0, 0, 0 };
    start();
    REFUSED(ECP_E_ARG, ecp_add_body(&scene_world, NULL, NULL));
    REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, NULL, NULL));
    REFUSED(ECP_E_ARG, ecp_set_state(&scene_world, 1, NULL));
    REFUSED(ECP_E_ARG, ecp_set_friction(&scene_world, 0, 1, NULL));
    REFUSED(ECP_E_ARG, ecp_set_mass(&scene_world, 1, 1, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_get_state(&scene_world, 1, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_observe(&scene_world, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_add_body(NULL, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_add_contact(NULL, NULL, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_state(NULL, 0, &s));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_get_state(NULL, 0, &s));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_wrench(NULL, 0, zero, zero));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_apply_impulse(NULL, 0, zero, zero));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_friction(NULL, 0, 1, six));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_set_mass(NULL, 0, 1, six));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_step(NULL, 1, NULL));
}

static void test_unknown_ids_are_refused(void)
{
    const int ids[] = { -1, 2, 2000000000, -2000000000 };
    ecp_state s = scene_at(0, 0, 0);
    const ecp_vec3 zero = { 0, 0, 0 };
    const ecp_real six[6] = { 1, 1, 1, 0, 0, 0 };
    start();
    for (int i = 0; i < 4; i++) {
        REFUSED(ECP_E_ARG, ecp_set_state(&scene_world, ids[i], &s));
        REFUSED(ECP_E_ARG, ecp_set_wrench(&scene_world, ids[i], zero, zero));
        REFUSED(ECP_E_ARG, ecp_apply_impulse(&scene_world, ids[i], zero, zero));
        REFUSED(ECP_E_ARG, ecp_set_friction(&scene_world, ids[i], 1, six));
        REFUSED(ECP_E_ARG, ecp_set_mass(&scene_world, ids[i], 1, six));
        REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &(ecp_contact_def){ ids[i], 0, 1, { 1, 1, 1 }, { 0, 0, 0 } }, NULL));
        REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &(ecp_contact_def){ 1, ids[i], 1, { 1, 1, 1 }, { 0, 0, 0 } }, NULL));
        TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_get_state(&scene_world, ids[i], &s));
    }
}

static void test_states_that_are_none_are_refused(void)
{
    start();
    for (int i = 0; i < 3; i++) {
        for (int field = 0; field < 13; field++) {
            ecp_state s = scene_at(0, 0, 1.5);
            ecp_real *const at[13] = { &s.position.x,    &s.position.y,    &s.position.z, &s.orientation.w, &s.orientation.x,
                                       &s.orientation.y, &s.orientation.z, &s.velocity.x, &s.velocity.y,    &s.velocity.z,
                                       &s.angular_velocity.x, &s.angular_velocity.y, &s.angular_velocity.z };
            *at[field] = bad_numbers[i];
            REFUSED(ECP_E_STATE, ecp_set_state(&scene_world, 1, &s));
            ecp_body_def def = box_def();
            def.state = s;
            REFUSED(ECP_E_STATE, ecp_add_body(&scene_world, &def, NULL));
        }
    }
    ecp_state s = scene_at(0, 0, 1.5);
    s.orientation.w = ECP_R(1.0011);
    REFUSED(ECP_E_STATE, ecp_set_state(&scene_world, 1, &s));
    s.orientation.w = ECP_R(0.9989);
    REFUSED(ECP_E_STATE, ecp_set_state(&scene_world, 1, &s));
    s.orientation.w = ECP_R(0.9991);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, 1, &s));
    ASSERT_NEAR(1.0, scene_state(1).orientation.w, TOL(1e-7, 1e-15));
    s.orientation.w = 1;
    s.velocity.x = 1;
    REFUSED(ECP_E_STATE, ecp_set_state(&scene_world, 0, &s)); // the floor is fixed
}

static void test_masses_that_no_rigid_body_has_are_refused(void)
{
    static const double bad[][7] = {
        { 0, 1, 1, 1, 0, 0, 0 },  { -1, 1, 1, 1, 0, 0, 0 },   { 1, 1, 1, 2.01, 0, 0, 0 }, { 1, -1, 1, 1, 0, 0, 0 },
        { 1, 1, 1, 0, 0, 0, 0 },  { 1, 1, 1, 1, 1.1, 0, 0 },  { 1, 1, 1, 1, 0, 0, -1.1 },
    };
    static const double good[][7] = {
        { 1, 1, 1, 2, 0, 0, 0 },                        // flat: the triangle inequality is an equality
        { 1, 1, 2, 1.5, 0.1, 0.2, -0.3 },
        { 1e-6, 1e-9, 1e-9, 1e-9, 0, 0, 0 },
        { 1, 0, 0, 0, 0, 0, 0 },                        // uniform density
    };
    start();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ecp_body_def def = box_def();
        def.mass = (ecp_real)bad[i][0];
        for (int k = 0; k < 6; k++) {
            def.inertia[k] = (ecp_real)bad[i][k + 1];
        }
        REFUSED(ECP_E_MASS, ecp_add_body(&scene_world, &def, NULL));
        REFUSED(ECP_E_MASS, ecp_set_mass(&scene_world, 1, def.mass, def.inertia));
    }
    for (int i = 0; i < 3; i++) {
        const ecp_real inertia[6] = { 1, 1, 1, 0, bad_numbers[i], 0 }, none[6] = { 0, 0, 0, 0, 0, 0 };
        REFUSED(ECP_E_MASS, ecp_set_mass(&scene_world, 1, 1, inertia));
        REFUSED(ECP_E_MASS, ecp_set_mass(&scene_world, 1, bad_numbers[i], none));
    }
    REFUSED(ECP_E_ARG, ecp_set_mass(&scene_world, 0, 1, (const ecp_real[6]){ 1, 1, 1, 0, 0, 0 }));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ecp_real inertia[6];
        for (int k = 0; k < 6; k++) {
            inertia[k] = (ecp_real)good[i][k + 1];
        }
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_mass(&scene_world, 1, (ecp_real)good[i][0], inertia));
    }
}

static void test_malformed_shapes_are_refused(void)
{
    static const ecp_plane planes[4] = { { { 1, 0, 0 }, 1 }, { { 0, 1, 0 }, 1 }, { { 0, 0, 1 }, 1 }, { { -1, 0, 0 }, 1 } };
    static const ecp_vec3 vertices[4] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { -1, -1, -1 } };
    const ecp_shape shapes[] = {
        ECP_BOX(1, 0, 1),
        ECP_BOX(1, -1, 1),
        ECP_BOX((ecp_real)INFINITY, 1, 1),
        ECP_SPHERE(0),
        ECP_ELLIPSOID(1, (ecp_real)NAN, 1),
        ECP_CYLINDER(1, 0),
        ECP_CONE(-1, 1),
        ECP_HALFSPACE(0, 0, 2, 0),
        ECP_HALFSPACE(0, 0, 1, (ecp_real)INFINITY),
        ECP_POLYTOPE(4, planes, 4, vertices),
        ECP_POLYTOPE(3, planes, 4, vertices),
        ECP_POLYTOPE(4, NULL, 4, vertices),
        { 0 },
    };
    start();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        ecp_body_def def = box_def();
        const char *why = NULL;
        def.shape = &shapes[i];
        REFUSED(ECP_E_SHAPE, ecp_add_body(&scene_world, &def, NULL));
        TEST_ASSERT_EQUAL_INT(ECP_E_SHAPE, ecp_shape_check(&shapes[i], &why));
        TEST_ASSERT_NOT_NULL(why);
    }
    ecp_body_def def = box_def();
    def.shape = &scene_floor; // unbounded
    REFUSED(ECP_E_SHAPE, ecp_add_body(&scene_world, &def, NULL));
}

static void test_friction_and_contacts_out_of_range_are_refused(void)
{
    static const double bad[][4] = { { -1, 1, 1, 0 }, { 1, 0, 1, 0 }, { 1, 1, 0, 0 }, { 1, 1, -1, 0 }, { 1, 1, 1, -1 } };
    start();
    scene_body(&box_shape, 1, scene_at(5, 0, 2));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const ecp_real e[3] = { (ecp_real)bad[i][1], (ecp_real)bad[i][2], (ecp_real)bad[i][3] };
        REFUSED(ECP_E_ARG, ecp_set_friction(&scene_world, 0, (ecp_real)bad[i][0], e));
        const ecp_contact_def def = { 2, 0, (ecp_real)bad[i][0], { e[0], e[1], e[2] }, { 0, 0, 0 } };
        REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &def, NULL));
    }
    const ecp_contact_def same = { 1, 0, 1, { 1, 1, 0 }, { 0, 0, 0 } }, other_way = { 0, 1, 1, { 1, 1, 0 }, { 0, 0, 0 } };
    const ecp_contact_def itself = { 1, 1, 1, { 1, 1, 0 }, { 0, 0, 0 } };
    REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &same, NULL));
    REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &other_way, NULL));
    REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &itself, NULL));
    scene_begin(9.81);
    const int ground = scene_plane(&scene_floor), wall = scene_plane(&scene_floor);
    REFUSED(ECP_E_ARG, ecp_add_contact(&scene_world, &(ecp_contact_def){ wall, ground, 1, { 1, 1, 0 }, { 0, 0, 0 } }, NULL));
}

static void test_loads_that_are_none_are_refused(void)
{
    const ecp_vec3 zero = { 0, 0, 0 };
    start();
    for (int i = 0; i < 3; i++) {
        const ecp_vec3 bad = { 0, 0, bad_numbers[i] };
        REFUSED(ECP_E_ARG, ecp_set_wrench(&scene_world, 1, bad, zero));
        REFUSED(ECP_E_ARG, ecp_set_wrench(&scene_world, 1, zero, bad));
        REFUSED(ECP_E_ARG, ecp_apply_impulse(&scene_world, 1, bad, zero));
        REFUSED(ECP_E_ARG, ecp_apply_impulse(&scene_world, 1, zero, bad));
    }
    REFUSED(ECP_E_ARG, ecp_set_wrench(&scene_world, 0, zero, zero)); // the floor
}

static void test_limits_are_named(void)
{
    scene_begin(9.81);
    for (int i = 0; i < ECP_MAX_BODIES; i++) {
        (void)scene_plane(&scene_floor);
    }
    const ecp_body_def def = { .kind = ECP_FIXED, .shape = &scene_floor, .state = scene_at(0, 0, 0) };
    before = scene_world;
    TEST_ASSERT_EQUAL_INT(ECP_E_LIMIT, ecp_add_body(&scene_world, &def, NULL));
    TEST_ASSERT_TRUE(strstr(ecp_error(&scene_world), "ECP_MAX_BODIES") != NULL);
    refused(ECP_E_LIMIT, ecp_add_body(&scene_world, &def, NULL));
}

static void test_steps_that_are_none_are_refused(void)
{
    ecp_report report;
    const ecp_real steps[] = { 0, ECP_R(-0.01), (ecp_real)INFINITY, (ecp_real)NAN };
    start();
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, ECP_R(0.01), &report));
    for (int i = 0; i < 4; i++) {
        REFUSED(ECP_E_ARG, ecp_step(&scene_world, steps[i], &report));
        TEST_ASSERT_EQUAL_INT(ECP_E_ARG, report.status);
    }
}

static void test_a_motion_too_fast_for_the_step_changes_no_state(void)
{
    ecp_report report;
    ecp_state s = scene_at(0, 0, 100);
    start();
    s.angular_velocity = ecp_v3(0, 0, ECP_R(0.6) * ECP_MAX_SUBSTEPS / ECP_R(0.01));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, 1, &s));
    TEST_ASSERT_EQUAL_INT(ECP_E_STATE, ecp_step(&scene_world, ECP_R(0.01), &report));
    const ecp_state after = scene_state(1);
    TEST_ASSERT_EQUAL_MEMORY(&s, &after, sizeof s);
    // just below the bound it is split as far as allowed
    s.angular_velocity.z = ECP_R(0.49) * ECP_MAX_SUBSTEPS / ECP_R(0.01);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_state(&scene_world, 1, &s));
    TEST_ASSERT_EQUAL_INT(ECP_SUBSTEPPED, ecp_step(&scene_world, ECP_R(0.01), &report));
    TEST_ASSERT_EQUAL_INT(ECP_MAX_SUBSTEPS, report.substeps);
}

static void test_statuses_have_their_numbers_and_names(void)
{
    static const struct {
        ecp_status status;
        int value;
        const char *name;
    } all[] = {
        { ECP_OK, 0, "ECP_OK" },           { ECP_DEGRADED, 1, "ECP_DEGRADED" }, { ECP_DEADLINE, 2, "ECP_DEADLINE" },
        { ECP_SUBSTEPPED, 3, "ECP_SUBSTEPPED" }, { ECP_E_ARG, -1, "ECP_E_ARG" }, { ECP_E_LIMIT, -2, "ECP_E_LIMIT" },
        { ECP_E_SHAPE, -3, "ECP_E_SHAPE" }, { ECP_E_MASS, -4, "ECP_E_MASS" },    { ECP_E_STATE, -5, "ECP_E_STATE" },
        { ECP_E_DIVERGED, -6, "ECP_E_DIVERGED" },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        TEST_ASSERT_EQUAL_INT(all[i].value, (int)all[i].status);
        TEST_ASSERT_EQUAL_STRING(all[i].name, ecp_status_name(all[i].status));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_settings_out_of_range_are_refused);
    RUN_TEST(test_null_pointers_are_refused);
    RUN_TEST(test_unknown_ids_are_refused);
    RUN_TEST(test_states_that_are_none_are_refused);
    RUN_TEST(test_masses_that_no_rigid_body_has_are_refused);
    RUN_TEST(test_malformed_shapes_are_refused);
    RUN_TEST(test_friction_and_contacts_out_of_range_are_refused);
    RUN_TEST(test_loads_that_are_none_are_refused);
    RUN_TEST(test_limits_are_named);
    RUN_TEST(test_steps_that_are_none_are_refused);
    RUN_TEST(test_a_motion_too_fast_for_the_step_changes_no_state);
    RUN_TEST(test_statuses_have_their_numbers_and_names);
    return UNITY_END();
}
