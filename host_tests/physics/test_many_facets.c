// Bodies with more vertices than the solver takes into one contact: prisms with as many sides as the
// profile allows, standing, pushed to the border of their base, spinning, rolling on their side.
#include "judge.h"

#define G 9.81
#define H 0.01
#define SIDES (ECP_MAX_FACETS - 2 < 60 ? ECP_MAX_FACETS - 2 : 60)
// an edge costs a fifth of the speed, and 0.55 m/s are needed to climb it
#define ROLLING_SIDES (ECP_MAX_FACETS - 2 < 8 ? ECP_MAX_FACETS - 2 : 8)
#define PI 3.14159265358979323846
#define MASS 2.0

static ecp_plane planes[ECP_MAX_FACETS];
static ecp_vec3 vertices[ECP_MAX_VERTICES];
static ecp_shape prism;

// corners at radius 0.3, half height 0.1; side i is centred at angle 2 pi (i + 1/2)/sides
static void make_prism(int sides)
{
    for (int i = 0; i < sides; i++) {
        const double a = 2 * PI * i / sides, b = 2 * PI * (i + 0.5) / sides;
        planes[i].n = ecp_v3((ecp_real)cos(b), (ecp_real)sin(b), 0);
        planes[i].d = (ecp_real)(0.3 * cos(PI / sides));
        vertices[2 * i] = ecp_v3((ecp_real)(0.3 * cos(a)), (ecp_real)(0.3 * sin(a)), ECP_R(-0.1));
        vertices[2 * i + 1] = vertices[2 * i];
        vertices[2 * i + 1].z = ECP_R(0.1);
    }
    planes[sides] = (ecp_plane){ { 0, 0, 1 }, ECP_R(0.1) };
    planes[sides + 1] = (ecp_plane){ { 0, 0, -1 }, ECP_R(0.1) };
    prism = (ecp_shape)ECP_POLYTOPE(sides + 2, planes, 2 * sides, vertices);
}

static void judged_step(ecp_report *r, judgement *all)
{
    static judge start;
    judge_start(&start, H);
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)H, r));
    *all = judgement_join(*all, judge_step(&start, 1, r));
}

// ---------------------------------------------------------------------------------------------

static void test_inertia_of_a_regular_prism(void)
{
    make_prism(SIDES);
    ecp_vec3 c;
    ecp_real I[6];
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_shape_inertia(&prism, (ecp_real)MASS, &c, I));
    // about the axis m R^2/2 (1 - 2/3 sin^2(pi/n))
    const double s = sin(PI / SIDES), zz = MASS * 0.09 / 2 * (1 - 2 * s * s / 3);
    ASSERT_NEAR(zz, I[2], TOL(1e-6, 1e-14));
    ASSERT_NEAR(zz / 2 + MASS * 0.04 / 12, I[0], TOL(1e-6, 1e-14));
    ASSERT_NEAR(I[0], I[1], TOL(1e-6, 1e-14));
}

// standing and pushed by a torque at every angle, to 99.9 % of what tips it over the nearest edge. Float,
// to 99 %: a gap is known to 32 eps L, a velocity to 1e-4 m/s, which moves the ECP by millimetres
static void test_prism_stands_up_to_the_border_of_its_base_in_every_direction(void)
{
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int most = 0;
    make_prism(SIDES);
    const double apothem = 0.3 * cos(PI / SIDES), margin = (double)TOL(0.01, 0.001);
    for (int i = 0; i < 24; i++) {
        // towards the middle of a side, with a tilt between sides for the odd ones
        const double a = 2 * PI * ((i * SIDES) / 24 + 0.5) / SIDES, reach = (1 - margin) * apothem;
        scene_on_floor(&prism, MASS, scene_at(0, 0, 0.1), G, 0.6, 0.1);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, ecp_v3(0, 0, 0),
                                                     ecp_v3((ecp_real)(-MASS * G * reach * sin(a)),
                                                            (ecp_real)(MASS * G * reach * cos(a)), 0)));
        for (int k = 0; k < 10; k++) {
            ecp_report r;
            judged_step(&r, &all);
            most = r.iterations > most ? r.iterations : most;
            TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
            ASSERT_NEAR(reach * cos(a), r.contact[0].a.x, TOL(5e-3, 1e-8));
            ASSERT_NEAR(reach * sin(a), r.contact[0].a.y, TOL(5e-3, 1e-8));
            ASSERT_NEAR(margin * apothem, r.contact[0].edge, TOL(5e-3, 1e-8));
        }
        ASSERT_SMALL(ecp_v3_norm(scene_state(1).angular_velocity), TOL(5e-3, 1e-9));
    }
    printf("prism of %d sides: at most %d iterations at the border of its base\n", SIDES, most);
    judgement_print("prism at its border", all);
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

static void test_prism_slides_and_spins_down_as_one_body(void)
{
    // slide: v - k h mu g; spin: w - k h mu e_r m g/I
    const double mu = 0.3, er = 0.2;
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    ecp_state s = scene_at(0, 0, 0.1);
    double worst = 0;
    make_prism(SIDES);
    s.velocity = ecp_v3(ECP_R(1.8), ECP_R(2.4), 0);
    scene_on_floor(&prism, MASS, s, G, mu, er);
    for (int k = 1; k <= 80; k++) {
        ecp_report r;
        judged_step(&r, &all);
        worst = fmax(worst, fabs((double)ecp_v3_norm(scene_state(1).velocity) - (3 - k * H * mu * G)));
    }
    s.velocity = ecp_v3(0, 0, 0);
    s.angular_velocity.z = 10;
    scene_on_floor(&prism, MASS, s, G, mu, er);
    const double I = (double)scene_world.body[1].inertia[2];
    for (int k = 1; k <= 40; k++) {
        ecp_report r;
        judged_step(&r, &all);
        const double w = fmax(0, 10 - k * H * mu * er * MASS * G / I);
        worst = fmax(worst, fabs((double)scene_state(1).angular_velocity.z - w));
    }
    printf("prism sliding and spinning: off by %.1e\n", worst);
    ASSERT_SMALL(worst, TOL(1e-3, 1e-8));
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

// rolled on its side: edge after edge, surface and line, until it rests on one side
static void test_prism_rolls_over_its_sides_and_comes_to_rest_on_one(void)
{
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    int most = 0, lines = 0;
    make_prism(ROLLING_SIDES);
    // axis to y, a side down
    const double apothem = 0.3 * cos(PI / ROLLING_SIDES), roll = PI / ROLLING_SIDES;
    const ecp_quat lie = { ECP_R(0.70710678118654752), ECP_R(-0.70710678118654752), 0, 0 };
    const ecp_quat about = { (ecp_real)cos(0.5 * roll), 0, (ecp_real)sin(0.5 * roll), 0 };
    ecp_state s = scene_at(0, 0, apothem);
    s.orientation = turn_product(about, lie);
    s.position.z = (ecp_real)-shape_low(&prism, turn_back(s.orientation, vec_of(0, 0, 1)));
    s.velocity.x = ECP_R(0.8);
    s.angular_velocity.y = (ecp_real)(0.8 / 0.3);
    scene_on_floor(&prism, MASS, s, G, 0.6, 0.05);
    ecp_report r = { .status = ECP_OK };
    for (int k = 0; k < 500; k++) {
        judged_step(&r, &all);
        most = r.iterations > most ? r.iterations : most;
        lines += r.contact[0].patch == 2;
    }
    printf("rolling prism: %d of 500 steps on an edge, at most %d iterations, ends at %.3f m\n", lines, most,
           (double)scene_state(1).position.x);
    judgement_print("rolling prism", all);
    TEST_ASSERT_TRUE(lines > 10);
    TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
    TEST_ASSERT_EQUAL_INT(ECP_STICK, r.contact[0].mode);
    ASSERT_SMALL(ecp_v3_norm(scene_state(1).velocity), TOL(1e-4, 1e-8));
    ASSERT_NEAR(apothem, scene_state(1).position.z, TOL(1e-5, 1e-8));
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_inertia_of_a_regular_prism);
    RUN_TEST(test_prism_stands_up_to_the_border_of_its_base_in_every_direction);
    RUN_TEST(test_prism_slides_and_spins_down_as_one_body);
    RUN_TEST(test_prism_rolls_over_its_sides_and_comes_to_rest_on_one);
    return UNITY_END();
}
