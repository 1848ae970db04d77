// Damage: bits flipped in states, loads, masses and warm starts while a world runs. A step recovers or
// refuses, within its cap, finite, and writes nothing outside its world.
#include "scene.h"

#include <stddef.h>

static const ecp_shape box = ECP_BOX(ECP_R(0.4), ECP_R(0.3), ECP_R(0.2));
static const ecp_shape wall = ECP_HALFSPACE(1, 0, 0, 0);

static struct {
    unsigned char before[256];
    ecp_world world;
    unsigned char behind[256];
} guarded;

static void throw_box(test_random *r)
{
    scene_begin(9.81);
    (void)scene_plane(&scene_floor);
    (void)scene_plane(&wall);
    ecp_state s = scene_at(0.3, 0, 0.3);
    s.velocity = ecp_v3(test_uniform(r, -2, 1), test_uniform(r, -1, 1), test_uniform(r, -2, 0));
    s.angular_velocity = ecp_v3(test_uniform(r, -3, 3), test_uniform(r, -3, 3), test_uniform(r, -3, 3));
    (void)scene_body(&box, 2, s);
    scene_contact(2, 0, 0.5, 1, 1, 0.05);
    scene_contact(2, 1, 0.3, 1, 1, 0);
}

static unsigned whole(test_random *r, unsigned below)
{
    return (unsigned)test_uniform(r, 0, (double)below) % below;
}

static void flip(void *memory, size_t size, test_random *r)
{
    unsigned char *bytes = memory;
    const unsigned bit = whole(r, (unsigned)(8u * size));
    bytes[bit / 8u] = (unsigned char)(bytes[bit / 8u] ^ (1u << (bit % 8u)));
}

static bool finite_state(const ecp_state *s)
{
    return ecp_v3_finite(s->position) && ecp_v3_finite(s->velocity) && ecp_v3_finite(s->angular_velocity) &&
           ecp_quat_finite(s->orientation);
}

// one flipped bit somewhere in what a step reads
static void damage(ecp_world *w, test_random *r)
{
    ecp_body *b = &w->body[2];
    switch (whole(r, 6)) {
    case 0: flip(&b->state, sizeof b->state, r); break;
    case 1: flip(&b->carry, sizeof b->carry, r); break;
    case 2: flip(&b->force, sizeof b->force + sizeof b->torque, r); break;
    case 3: flip(&b->inertia, sizeof b->inertia, r); break;
    case 4: flip(&b->mass, sizeof b->mass, r); break;
    default: flip(&w->contact[whole(r, 2)].warm, sizeof(ecp_warm), r); break;
    }
}

// the step that follows damage; true: committed
static bool survives(ecp_world *w)
{
    static ecp_world before;
    ecp_report report;
    before = *w;
    const ecp_status status = ecp_step(w, ECP_R(0.01), &report);
    TEST_ASSERT_TRUE(report.iterations <= ECP_MAX_ITERATIONS);
    if (status < 0) {
        before.error = w->error;
        TEST_ASSERT_EQUAL_INT(0, memcmp(&before, w, offsetof(ecp_world, saved_state)));
        return false;
    }
    TEST_ASSERT_TRUE(finite_state(&w->body[2].state));
    TEST_ASSERT_TRUE(ecp_finite(report.residual) && ecp_finite(report.gap_min));
    return true;
}

static void test_flipped_bits_are_survived_or_refused(void)
{
    test_random r = test_seed(11);
    int refused = 0;
    memset(&guarded, 0xA5, sizeof guarded);
    for (int trial = 0; trial < 3000; trial++) {
        throw_box(&r);
        guarded.world = scene_world;
        const unsigned steps = whole(&r, 40);
        for (unsigned k = 0; k < steps; k++) {
            TEST_ASSERT_TRUE(ecp_step(&guarded.world, ECP_R(0.01), NULL) >= ECP_OK);
        }
        damage(&guarded.world, &r);
        bool alive = true;
        for (int k = 0; k < 5 && alive; k++) {
            alive = survives(&guarded.world);
        }
        refused += !alive;
    }
    for (size_t i = 0; i < sizeof guarded.before; i++) {
        TEST_ASSERT_TRUE(guarded.before[i] == 0xA5 && guarded.behind[i] == 0xA5);
    }
    printf("3000 flipped bits: %d refused, the others stepped on\n", refused);
    // most bits of a number are harmless, those of an exponent are not
    TEST_ASSERT_TRUE(refused > 0 && refused < 1500);
}

static void test_numbers_that_are_none_are_refused_and_nothing_changes(void)
{
    static const double bad[] = { (double)NAN, (double)INFINITY, -(double)INFINITY };
    test_random r = test_seed(12);
    throw_box(&r);
    for (size_t kind = 0; kind < 3; kind++) {
        ecp_real *const places[] = { &scene_world.body[2].state.position.y, &scene_world.body[2].state.orientation.x,
                                     &scene_world.body[2].state.velocity.z,
                                     &scene_world.body[2].state.angular_velocity.x, &scene_world.body[2].force.x,
                                     &scene_world.body[2].torque.y, &scene_world.body[2].impulse.z };
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const ecp_real kept = *places[i];
            *places[i] = (ecp_real)bad[kind];
            TEST_ASSERT_FALSE(survives(&scene_world));
            *places[i] = kept;
        }
    }
    TEST_ASSERT_TRUE(survives(&scene_world));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_flipped_bits_are_survived_or_refused);
    RUN_TEST(test_numbers_that_are_none_are_refused_and_nothing_changes);
    return UNITY_END();
}
