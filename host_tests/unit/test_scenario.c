// Scenario files become the values they say. Refusals by line are tested with the command.
#include "test.h"

#include "scenario.h"

static const char top[] = "h = 0.01\nduration = 0.296\ngravity = [0, 0, -9.8]\n";
static const char floor_text[] =
    "[[body]]\nname = \"floor\"\nkind = \"fixed\"\nshape = \"halfspace\"\nnormal = [0, 0, "
    "4]\noffset = 0.25\n";
static const char box_text[] =
    "[[body]]\nname = \"box\"\nkind = \"dynamic\"\nshape = \"box\"\nsize = [2, 4, 6]\nmass = 3\n"
    "orientation = [1.0005, 0, 0, 0]\nvelocity = [1, 2, 3]\nlock = [\"x\", \"rz\"]\n";
static const char contact_text[] =
    "[[contact]]\nbodies = [\"box\", \"floor\"]\nmu = 0.5\ne = [1, 2, 0]\naxis = [0, 1, 0]\n";

static bool parse(scenario *s, const char *a, const char *b, const char *c, const char *d,
                  fault *why)
{
    char text[2048];
    (void)snprintf(text, sizeof text, "%s%s%s%s", a, b, c, d);
    return scenario_parse(s, text, strlen(text), why);
}

static void test_values_are_taken_over(void)
{
    scenario s;
    fault why;
    TEST_ASSERT_TRUE_MESSAGE(parse(&s, top, floor_text, box_text, contact_text, &why), why.text);
    TEST_ASSERT_EQUAL_INT(30, (int)s.steps); // 29.6, to the nearest
    TEST_ASSERT_EQUAL_INT(2, s.body_count);
    const scenario_body *ground = &s.bodies[0], *box = &s.bodies[1];
    ASSERT_NEAR(1.0, ground->shape.size.z, 0);
    ASSERT_NEAR(0.25, ground->shape.offset, 0);
    TEST_ASSERT_EQUAL_INT(ECP_SHAPE_BOX, box->shape.kind);
    TEST_ASSERT_TRUE(box->def.shape == &box->shape);
    ASSERT_NEAR(3.0, box->shape.size.z, 0);
    ASSERT_NEAR(1.0, box->def.state.orientation.w, 0);
    ASSERT_NEAR(2.0, box->def.state.velocity.y, 0);
    TEST_ASSERT_EQUAL_INT(ECP_LOCK_X | ECP_LOCK_RZ, (int)box->def.lock);
    TEST_ASSERT_EQUAL_INT(1, s.contacts[0].def.a);
    TEST_ASSERT_EQUAL_INT(0, s.contacts[0].def.b);
    ASSERT_NEAR(2.0, s.contacts[0].def.e[1], 0);
    ASSERT_NEAR(1.0, s.contacts[0].def.axis.y, 0);
    scenario_free(&s);
    TEST_ASSERT_NULL(s.bodies);
}

static void test_tables_may_stand_in_any_order(void)
{
    scenario s;
    fault why;
    TEST_ASSERT_TRUE_MESSAGE(parse(&s, top, contact_text, floor_text, box_text, &why), why.text);
    TEST_ASSERT_EQUAL_INT(1, s.contact_count);
    scenario_free(&s);
}

static void test_the_world_is_built(void)
{
    static ecp_world world;
    scenario s;
    fault why;
    ecp_state state;
    TEST_ASSERT_TRUE_MESSAGE(parse(&s, top, floor_text, box_text, contact_text, &why), why.text);
    TEST_ASSERT_TRUE_MESSAGE(scenario_build(&s, &world, &why), why.text);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_get_state(&world, 1, &state));
    ASSERT_NEAR(3.0, state.velocity.z, 0);
    ASSERT_NEAR(0.0, state.velocity.x, 0); // locked
    scenario_free(&s);
}

static void test_refusals_of_the_library_carry_a_line(void)
{
    static ecp_world world;
    scenario s;
    fault why;
    // 3 diagonal numbers that no rigid body can have: xx > yy + zz
    TEST_ASSERT_TRUE_MESSAGE(parse(&s, top, floor_text, box_text, "inertia = [9, 1, 1]\n", &why),
                             why.text);
    TEST_ASSERT_FALSE(scenario_build(&s, &world, &why));
    TEST_ASSERT_EQUAL_INT(19, why.line);
    TEST_ASSERT_TRUE_MESSAGE(strstr(why.text, "ECP_E_MASS") != NULL, why.text);
    scenario_free(&s);
}

static void test_numbers_beyond_the_real_type_are_refused(void)
{
    scenario s;
    fault why;
    const bool fits =
        parse(&s, top, "[[body]]\nname = \"a\"\nkind = \"kinematic\"\nshape = \"sphere\"\n",
              "radius = 1\nposition = [1e39, 0, 0]\n", "", &why);
    TEST_ASSERT_TRUE(fits == (ECP_REAL_BITS == 64));
    if (!fits) {
        TEST_ASSERT_EQUAL_INT(9, why.line);
    }
    scenario_free(&s);
}

static void test_a_refused_file_leaves_nothing_behind(void)
{
    scenario s;
    fault why;
    TEST_ASSERT_FALSE(parse(&s, top, floor_text, box_text, floor_text, &why));
    TEST_ASSERT_EQUAL_INT(20, why.line);
    TEST_ASSERT_EQUAL_INT(0, s.body_count);
    TEST_ASSERT_NULL(s.bodies);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_values_are_taken_over);
    RUN_TEST(test_tables_may_stand_in_any_order);
    RUN_TEST(test_the_world_is_built);
    RUN_TEST(test_refusals_of_the_library_carry_a_line);
    RUN_TEST(test_numbers_beyond_the_real_type_are_refused);
    RUN_TEST(test_a_refused_file_leaves_nothing_behind);
    return UNITY_END();
}
