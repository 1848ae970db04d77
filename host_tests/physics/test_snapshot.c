// A snapshot holds everything that decides what happens next: stepping on from it gives the same bits.
#define _POSIX_C_SOURCE 200809L
#include "scenarios.h"

#define AHEAD 12

static ecp_snapshot kept, other;
static ecp_world scenario_other;
static ecp_report scenario_second;

// whatever outlives a step only by mistake: a restored world must not depend on it
static void spoil(ecp_world *w)
{
    memset(&w->work, 0x5a, sizeof w->work);
    memset(w->saved_state, 0x5a, sizeof w->saved_state);
    memset(w->saved_carry, 0x5a, sizeof w->saved_carry);
    memset(w->saved_warm, 0x5a, sizeof w->saved_warm);
    memset(w->result, 0x5a, sizeof w->result);
}

// scenario_other takes over from a snapshot of scenario_world at step k; both go on side by side
static void go_on_side_by_side(const scenario *s, const char *name, long k)
{
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_save(&scenario_world, &kept));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_restore(&scenario_other, &kept));
    spoil(&scenario_other);
    for (long i = k; i < k + AHEAD && i < s->steps; i++) {
        const ecp_status a = scenario_step(s, &scenario_world, i, &scenario_report);
        const ecp_status b = scenario_step(s, &scenario_other, i, &scenario_second);
        TEST_ASSERT_EQUAL_INT(a, b);
        TEST_ASSERT_TRUE_MESSAGE(same_reports(&scenario_report, &scenario_second), name);
        TEST_ASSERT_TRUE_MESSAGE(same_states(&scenario_world, &scenario_other), name);
    }
}

static void same_future(const scenario *s, const char *name)
{
    fault why;
    TEST_ASSERT_TRUE(scenario_build(s, &scenario_other, &why));
    for (long k = 0; k < s->steps; k += AHEAD) {
        go_on_side_by_side(s, name, k);
    }
}

static void test_stepping_on_from_a_snapshot_gives_the_same_bits_in_every_scenario(void)
{
    TEST_ASSERT_TRUE(scenarios_each(same_future) >= 5);
}

static void same_past(const scenario *s, const char *name)
{
    const long start = s->steps / 3, end = start + AHEAD < s->steps ? start + AHEAD : s->steps;
    for (long k = 0; k < start; k++) {
        (void)scenario_step(s, &scenario_world, k, NULL);
    }
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_save(&scenario_world, &kept));
    for (long k = start; k < end; k++) {
        (void)scenario_step(s, &scenario_world, k, NULL);
    }
    scenario_other = scenario_world;
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_restore(&scenario_world, &kept));
    for (long k = start; k < end; k++) {
        (void)scenario_step(s, &scenario_world, k, NULL);
    }
    TEST_ASSERT_TRUE_MESSAGE(same_states(&scenario_world, &scenario_other), name);
}

static void test_going_back_and_doing_it_again_ends_in_the_same_bits(void)
{
    TEST_ASSERT_TRUE(scenarios_each(same_past) >= 5);
}

// ---------------------------------------------------------------------------------------------

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0);
static const ecp_shape cube = ECP_BOX(ECP_R(1.0), ECP_R(1.0), ECP_R(1.0));

static void cube_on_floor(ecp_world *w, double g)
{
    const ecp_settings settings = { .gravity = { 0, 0, (ecp_real)-g } };
    const ecp_body_def floor_def = { .kind = ECP_FIXED, .shape = &floor_shape,
                                     .state = { .orientation = { 1, 0, 0, 0 } } };
    const ecp_body_def body = { .kind = ECP_DYNAMIC, .shape = &cube, .mass = 1,
                                .state = { .position = { 0, 0, ECP_R(0.5) },
                                           .orientation = { 1, 0, 0, 0 },
                                           .velocity = { ECP_R(2.0), 0, 0 } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = ECP_R(0.2), .e = { 1, 1, ECP_R(0.1) } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(w, &settings));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(w, &floor_def, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(w, &body, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_contact(w, &touch, NULL));
}

static void test_live_changes_and_an_unused_impulse_are_part_of_a_snapshot(void)
{
    const ecp_real e[3] = { ECP_R(1.0), ECP_R(0.5), ECP_R(0.05) };
    const ecp_real inertia[6] = { ECP_R(0.4), ECP_R(0.5), ECP_R(0.6), 0, 0, 0 };
    cube_on_floor(&scenario_world, 9.8);
    cube_on_floor(&scenario_other, 9.8);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_mass(&scenario_world, 1, ECP_R(3.0), inertia));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_friction(&scenario_world, 0, ECP_R(0.7), e));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scenario_world, 1, ecp_v3(ECP_R(1.5), 0, 0),
                                                 ecp_v3(0, 0, ECP_R(0.2))));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_apply_impulse(&scenario_world, 1, ecp_v3(0, ECP_R(0.5), 0),
                                                    ecp_v3(0, 0, ECP_R(0.1))));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_save(&scenario_world, &kept));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_restore(&scenario_other, &kept));
    for (int k = 0; k < 50; k++) {
        TEST_ASSERT_TRUE(ecp_step(&scenario_world, ECP_R(0.01), NULL) >= ECP_OK);
        TEST_ASSERT_TRUE(ecp_step(&scenario_other, ECP_R(0.01), NULL) >= ECP_OK);
        TEST_ASSERT_TRUE(same_states(&scenario_world, &scenario_other));
    }
}

// ---------------------------------------------------------------------------------------------

// refused with a text, and the world is as it was
static void assert_refused(const ecp_snapshot *s)
{
    static ecp_world before;
    before = scenario_world;
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_restore(&scenario_world, s));
    TEST_ASSERT_TRUE(strlen(ecp_error(&scenario_world)) > 0);
    TEST_ASSERT_EQUAL_MEMORY(before.body, scenario_world.body, sizeof before.body);
    TEST_ASSERT_EQUAL_MEMORY(before.contact, scenario_world.contact, sizeof before.contact);
}

static void test_snapshots_of_other_worlds_are_refused(void)
{
    cube_on_floor(&scenario_world, 9.8);
    cube_on_floor(&scenario_other, 1.6);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_save(&scenario_other, &other));
    assert_refused(&other);
    cube_on_floor(&scenario_other, 9.8);
    const ecp_body_def more = { .kind = ECP_FIXED, .shape = &floor_shape,
                                .state = { .orientation = { 1, 0, 0, 0 } } };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_body(&scenario_other, &more, NULL));
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_save(&scenario_other, &other));
    assert_refused(&other);
    assert_refused(NULL);
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_restore(NULL, &other));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_save(NULL, &other));
    TEST_ASSERT_EQUAL_INT(ECP_E_ARG, ecp_save(&scenario_world, NULL));
}

// every real of the records in use, one bit of it turned over
static void test_any_damaged_number_is_noticed(void)
{
    cube_on_floor(&scenario_world, 9.8);
    TEST_ASSERT_TRUE(ecp_step(&scenario_world, ECP_R(0.01), NULL) >= ECP_OK);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_save(&scenario_world, &kept));
    for (size_t i = 0; i < 2u * sizeof kept.body[0]; i++) {
        other = kept;
        ((unsigned char *)other.body)[i] ^= (unsigned char)(1u << (i % 8u));
        assert_refused(&other);
    }
    for (size_t i = 0; i < sizeof kept.contact[0].warm.lam; i++) {
        other = kept;
        ((unsigned char *)other.contact[0].warm.lam)[i] ^= 1u;
        assert_refused(&other);
    }
    other = kept;
    other.contact[0].warm.count = 5;
    assert_refused(&other);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_restore(&scenario_world, &kept));
}

static void test_a_snapshot_has_the_size_the_manual_states(void)
{
    // 8 bytes, 38 reals per body, about 30 per contact
    const size_t stated = 8u + ECP_MAX_BODIES * 38u * sizeof(ecp_real) + ECP_MAX_CONTACTS * 30u * sizeof(ecp_real);
    TEST_ASSERT_TRUE(sizeof(ecp_snapshot) <= stated);
    TEST_ASSERT_TRUE(sizeof(ecp_snapshot) < sizeof(ecp_world) / 8u);
    printf("ecp_snapshot: %zu bytes of %zu\n", sizeof(ecp_snapshot), sizeof(ecp_world));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_stepping_on_from_a_snapshot_gives_the_same_bits_in_every_scenario);
    RUN_TEST(test_going_back_and_doing_it_again_ends_in_the_same_bits);
    RUN_TEST(test_live_changes_and_an_unused_impulse_are_part_of_a_snapshot);
    RUN_TEST(test_snapshots_of_other_worlds_are_refused);
    RUN_TEST(test_any_damaged_number_is_noticed);
    RUN_TEST(test_a_snapshot_has_the_size_the_manual_states);
    return UNITY_END();
}
