// The two margins a controller watches: edge is used up before a pushed box tips, reserve is used up
// when it slips and not before. Slow pushes: while nothing moves the forces balance, so
//   ECP = foot of the centre + z F/(m g)           (F at height z above the floor)
//   reserve = 1 - sqrt(F^2 + (torque/e_r)^2)/(mu m g)
#include "scene.h"

#define PUSHES 1000
#define GRAVITY 9.81
#define H 0.01

typedef struct push {
    double a, b, c;       // half extents of the box
    double m, mu, er;
    double yaw;           // of the box
    double direction;     // of the force
    double z;             // height of the force above the floor
    double arm;           // torque about the vertical per force, m
    double tip, slip;     // forces at which it tips and slips
    double steps;         // of the ramp up to the smaller of them; not a whole number
} push;

static ecp_shape box;
static double worst;  // difference from the balance of forces, over all pushes of a test

// force at which the ECP reaches the border of the base, in the direction of the push
static double tipping_force(const push *p)
{
    const double d = p->direction - p->yaw;
    const double reach = fmin(p->a / fabs(cos(d)), p->b / fabs(sin(d)));
    return p->m * GRAVITY * reach / p->z;
}

static double slipping_force(const push *p)
{
    const double per_force = sqrt(1.0 + p->arm / p->er * (p->arm / p->er));
    return p->mu * p->m * GRAVITY / per_force;
}

static push random_push(test_random *r)
{
    push p;
    p.a = (double)test_uniform(r, 0.05, 0.4);
    p.b = (double)test_uniform(r, 0.05, 0.4);
    p.c = (double)test_uniform(r, 0.05, 0.6);
    p.m = (double)test_uniform(r, 0.2, 5.0);
    p.mu = (double)test_uniform(r, 0.1, 1.5);
    p.er = (double)test_uniform(r, 0.02, 0.2);
    p.yaw = (double)test_uniform(r, -3.1, 3.1);
    p.direction = (double)test_uniform(r, -3.1, 3.1);
    p.z = (double)test_uniform(r, 0.02, 1.0) * 2.0 * p.c;
    p.arm = (double)test_uniform(r, -1.0, 1.0) * p.er;
    p.tip = tipping_force(&p);
    p.slip = slipping_force(&p);
    p.steps = (double)test_uniform(r, 100.0, 200.0);
    return p;
}

static void set_up(const push *p)
{
    ecp_state s = scene_at(0, 0, p->c);
    s.orientation = (ecp_quat){ (ecp_real)cos(0.5 * p->yaw), 0, 0, (ecp_real)sin(0.5 * p->yaw) };
    box = (ecp_shape)ECP_BOX((ecp_real)(2.0 * p->a), (ecp_real)(2.0 * p->b),
                             (ecp_real)(2.0 * p->c));
    scene_on_floor(&box, p->m, s, GRAVITY, p->mu, p->er);
}

static void step_with(const push *p, double force, ecp_report *report)
{
    const double fx = force * cos(p->direction), fy = force * sin(p->direction),
        lever = p->z - p->c;
    const ecp_vec3 F = { (ecp_real)fx, (ecp_real)fy, 0 };
    const ecp_vec3 torque = { (ecp_real)(-lever * fy), (ecp_real)(lever * fx),
                              (ecp_real)(p->arm * force) };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_set_wrench(&scene_world, 1, F, torque));
    TEST_ASSERT_TRUE(ecp_step(&scene_world, (ecp_real)H, report) >= ECP_OK);
}

static double tilt_now(void)
{
    const ecp_quat q = scene_state(1).orientation;
    return 2.0 * sqrt((double)(q.x * q.x + q.y * q.y));
}

static double edge_by_hand(const push *p, double force)
{
    const double offset = p->z * force / (p->m * GRAVITY), d = p->direction - p->yaw;
    return fmin(p->a - offset * fabs(cos(d)), p->b - offset * fabs(sin(d)));
}

static double reserve_by_hand(const push *p, double force)
{
    return 1.0 - force / p->slip;
}

// ---------------------------------------------------------------------------------------------

#define TILTED (double)TOL(1e-4, 1e-6)

// ramps the force until the box tips; the margin the controller saw last
static void tips_with_warning(const push *p)
{
    const double size = p->a + p->b + p->c, one_step = p->tip / p->steps;
    const double per_step = p->z * one_step / (p->m * GRAVITY);
    double last_edge = size, tilt = 0;
    ecp_report report;
    set_up(p);
    int k = 0;
    while (tilt <= TILTED) {
        k++;
        TEST_ASSERT_TRUE(k < p->steps + 60);
        const double force = k * one_step;
        step_with(p, force, &report);
        const ecp_contact_report *c = &report.contact[0];
        tilt = tilt_now();
        if (force < p->tip) {
            TEST_ASSERT_EQUAL_INT(ECP_STICK, c->mode);
            TEST_ASSERT_EQUAL_INT(3, c->patch);
            const double difference = edge_by_hand(p, force) - (double)c->edge;
            ASSERT_SMALL(difference, size * (double)TOL(1e-3, 1e-8));
            worst = fmax(worst, fabs(difference) / size);
            TEST_ASSERT_TRUE(tilt <= TILTED);
        } else {
            // past the force of tipping there is no margin: on an edge, or the ECP on the border
            TEST_ASSERT_TRUE(c->patch < 3 || (double)c->edge <= size * (double)TOL(1e-3, 1e-8));
        }
        if (tilt <= TILTED && c->patch == 3) {
            last_edge = fmin(last_edge, (double)c->edge);
        }
    }
    TEST_ASSERT_TRUE(last_edge <= per_step + size * (double)TOL(1e-3, 1e-8));
}

static void test_edge_is_used_up_before_a_slowly_pushed_box_tips(void)
{
    test_random r = test_seed(11);
    int count = 0;
    worst = 0;
    while (count < PUSHES) {
        const push p = random_push(&r);
        if (p.tip < 0.9 * p.slip) {
            tips_with_warning(&p);
            count++;
        }
    }
    printf("edge: %d boxes tipped, at most %.1e of their size from the balance\n", count, worst);
}

// ---------------------------------------------------------------------------------------------

static void slips_with_warning(const push *p)
{
    const double one_step = p->slip / p->steps;
    double last_reserve = 1.0;
    bool slipping = false;
    ecp_report report;
    set_up(p);
    for (int k = 1; !slipping; k++) {
        const double force = k * one_step;
        TEST_ASSERT_TRUE(k < p->steps + 4);
        step_with(p, force, &report);
        const ecp_contact_report *c = &report.contact[0];
        slipping = c->mode == ECP_SLIP;
        if (force < p->slip * (1.0 - (double)TOL(1e-4, 1e-9))) {
            TEST_ASSERT_EQUAL_INT(ECP_STICK, c->mode);
            const double difference = reserve_by_hand(p, force) - (double)c->reserve;
            ASSERT_SMALL(difference, TOL(1e-3, 1e-8));
            worst = fmax(worst, fabs(difference));
        }
        if (slipping) {
            ASSERT_NEAR(0, c->reserve, 0);
        } else {
            last_reserve = (double)c->reserve;
        }
    }
    TEST_ASSERT_TRUE(last_reserve <= 1.0 / p->steps + (double)TOL(1e-3, 1e-8));
}

static void test_reserve_is_used_up_when_a_slowly_pushed_box_slips_and_not_before(void)
{
    test_random r = test_seed(12);
    int count = 0;
    worst = 0;
    while (count < PUSHES) {
        const push p = random_push(&r);
        if (p.slip < 0.9 * p.tip) {
            slips_with_warning(&p);
            count++;
        }
    }
    printf("reserve: %d boxes slipped, at most %.1e from the balance\n", count, worst);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_edge_is_used_up_before_a_slowly_pushed_box_tips);
    RUN_TEST(test_reserve_is_used_up_when_a_slowly_pushed_box_slips_and_not_before);
    return UNITY_END();
}
