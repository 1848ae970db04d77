// The same scene described differently is the same motion: turned, moved, scaled, with its shape as a
// box, a hull or facets, with the bodies in the other order. Double: 1e-8 of the motion's size; the
// scenes last long enough to fall, strike, slip, stick, roll and come to rest, and short enough for
// rounding not to grow through many impacts. Float: the same, limited by its tolerance of 1e-5 in
// every step, which impacts amplify.
#include "judge.h"

#include "hull.h"

#define STEPS 80
#define MOTION_TOLERANCE TOL(5e-3, 1e-8)

typedef struct variant {
    ecp_quat turn;          // whole scene
    vec shift;              // m, of the scaled scene
    double length, mass, time;
    bool plane_first;       // contact names the half-space first
    bool body_first;        // the moving body has id 0
    const ecp_shape *shape; // instead of the scene's, or NULL
} variant;

typedef struct scene_plan {
    const char *name;
    const ecp_shape *shape;
    double mu, e[3];
    vec axis;               // zero: none
    int planes;             // floor, then walls
    ecp_state start;
} scene_plan;

static const variant plain = { { 1, 0, 0, 0 }, { 0, 0, 0 }, 1, 1, 1, false, false, NULL };

// normals that meet in the origin: floor, a leaning wall, a tilted wall
static const double wall[3][3] = { { 0, 0, 1 }, { -0.96, 0, 0.28 }, { 0.28, -0.96, 0 } };
static const double wall_at[3] = { 0, -0.9, -1.0 };

static ecp_shape ground[3], scaled_shape;
static ecp_plane scaled_planes[ECP_MAX_FACETS];
static ecp_vec3 scaled_vertices[ECP_MAX_VERTICES];

static const ecp_shape *scale_shape(const ecp_shape *s, double a)
{
    scaled_shape = *s;
    scaled_shape.size = ecp_v3_scale((ecp_real)a, s->size);
    for (int i = 0; i < s->plane_count; i++) {
        scaled_planes[i] = s->planes[i];
        scaled_planes[i].d *= (ecp_real)a;
    }
    for (int i = 0; i < s->vertex_count; i++) {
        scaled_vertices[i] = ecp_v3_scale((ecp_real)a, s->vertices[i]);
    }
    scaled_shape.planes = s->plane_count > 0 ? scaled_planes : NULL;
    scaled_shape.vertices = s->vertex_count > 0 ? scaled_vertices : NULL;
    return &scaled_shape;
}

static vec scaled_turned(const variant *v, vec a, double k)
{
    return turn(v->turn, vec_scale(k, a));
}

static ecp_state start_of(const variant *v, const ecp_state *s)
{
    ecp_state out;
    out.position = vec_to(vec_add(v->shift, scaled_turned(v, vec_from(s->position), v->length)));
    out.orientation = turn_product(v->turn, s->orientation);
    out.velocity = vec_to(scaled_turned(v, vec_from(s->velocity), v->length / v->time));
    out.angular_velocity = vec_to(scaled_turned(v, vec_from(s->angular_velocity), 1.0 / v->time));
    return out;
}

static int add_planes(const scene_plan *p, const variant *v)
{
    int first = -1;
    for (int i = 0; i < p->planes; i++) {
        const vec n = turn(v->turn, vec_of(wall[i][0], wall[i][1], wall[i][2]));
        const double d = v->length * wall_at[i] + vec_dot(n, v->shift);
        ground[i] = (ecp_shape)ECP_HALFSPACE((ecp_real)n.x, (ecp_real)n.y, (ecp_real)n.z, (ecp_real)d);
        // float rounds the normal: make it unit again
        ground[i].size = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(ground[i].size), ground[i].size);
        const int id = scene_plane(&ground[i]);
        first = first < 0 ? id : first;
    }
    return first;
}

// returns the id of the moving body
static int build(const scene_plan *p, const variant *v)
{
    const vec g = scaled_turned(v, vec_of(0, 0, -9.81), v->length / (v->time * v->time));
    // the recovery of depth is a speed too: 0.1 radii per second of the plain scene
    const ecp_settings settings = { .gravity = vec_to(g), .recovery_speed = (ecp_real)(0.1 / v->time) };
    TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_world_init(&scene_world, &settings));
    const ecp_shape *shape = scale_shape(v->shape ? v->shape : p->shape, v->length);
    int body = -1, first = v->body_first ? -1 : add_planes(p, v);
    body = scene_body(shape, 2.0 * v->mass, start_of(v, &p->start));
    first = v->body_first ? add_planes(p, v) : first;
    for (int i = 0; i < p->planes; i++) {
        const ecp_contact_def c = { .a = v->plane_first ? first + i : body, .b = v->plane_first ? body : first + i,
                                    .mu = (ecp_real)p->mu, .axis = vec_to(turn(v->turn, p->axis)),
                                    .e = { (ecp_real)p->e[0], (ecp_real)p->e[1], (ecp_real)(p->e[2] * v->length) } };
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_add_contact(&scene_world, &c, NULL));
    }
    return body;
}

static ecp_state path[STEPS];
static int reached[3];  // steps with a point, a line, a surface contact
static int statuses[STEPS];

static void run_plain(const scene_plan *p)
{
    const int body = build(p, &plain);
    reached[0] = reached[1] = reached[2] = 0;
    for (int k = 0; k < STEPS; k++) {
        ecp_report r;
        statuses[k] = ecp_step(&scene_world, ECP_R(0.01), &r);
        TEST_ASSERT_TRUE(statuses[k] == ECP_OK || statuses[k] == ECP_SUBSTEPPED);
        path[k] = scene_state(body);
        for (int i = 0; i < p->planes; i++) {
            reached[0] += r.contact[i].patch == 1;
            reached[1] += r.contact[i].patch == 2;
            reached[2] += r.contact[i].patch == 3;
        }
    }
}

// largest distance of the variant's motion from the plain one: lengths in the body's size, velocities in
// the largest speed of the plain motion
static double deviation(const scene_plan *p, const variant *v)
{
    const int body = build(p, v);
    double speed = 0, worst = 0;
    for (int k = 0; k < STEPS; k++) {
        speed = fmax(speed, (double)(ecp_v3_norm(path[k].velocity) + ecp_v3_norm(path[k].angular_velocity)));
    }
    for (int k = 0; k < STEPS; k++) {
        const ecp_status status = ecp_step(&scene_world, (ecp_real)(0.01 * v->time), NULL);
        TEST_ASSERT_EQUAL_INT(statuses[k], status);
        const ecp_state e = start_of(v, &path[k]), s = scene_state(body);
        const vec dx = vec_sub(vec_from(s.position), vec_from(e.position));
        const vec dv = vec_sub(vec_from(s.velocity), vec_from(e.velocity));
        const vec dw = vec_sub(vec_from(s.angular_velocity), vec_from(e.angular_velocity));
        worst = fmax(worst, vec_norm(dx) / v->length);
        worst = fmax(worst, vec_norm(dv) * v->time / v->length / speed);
        worst = fmax(worst, vec_norm(dw) * v->time / speed);
        worst = fmax(worst, judge_quat_distance(s.orientation, e.orientation));
    }
    return worst;
}

// ---------------------------------------------------------------------------------------------
// scenes: about 1 m in size, thrown on the floor and against walls

static const ecp_shape brick = ECP_BOX(ECP_R(0.9), ECP_R(0.6), ECP_R(0.4));
static const ecp_shape roller = ECP_CYLINDER(ECP_R(0.3), ECP_R(0.8));
static const ecp_shape hat = ECP_CONE(ECP_R(0.4), ECP_R(0.7));
static const ecp_shape egg = ECP_ELLIPSOID(ECP_R(0.5), ECP_R(0.35), ECP_R(0.25));

static ecp_state thrown(double z, double spin)
{
    ecp_state s = scene_at(0, 0, z);
    s.orientation = ecp_quat_normalised((ecp_quat){ ECP_R(0.9), ECP_R(0.3), ECP_R(0.2), ECP_R(0.1) });
    s.velocity = ecp_v3(ECP_R(1.2), ECP_R(0.7), ECP_R(-0.5));
    s.angular_velocity = ecp_v3((ecp_real)(0.5 * spin), (ecp_real)spin, (ecp_real)(-0.6 * spin));
    return s;
}

static ecp_state lying(double z, double vx, double wz)
{
    ecp_state s = scene_at(0, 0, z);
    s.velocity.x = (ecp_real)vx;
    s.angular_velocity.z = (ecp_real)wz;
    return s;
}

// towards both walls at once
static ecp_state against(double z, double spin)
{
    ecp_state s = thrown(z, spin);
    s.position = ecp_v3(ECP_R(0.35), ECP_R(0.4), (ecp_real)z);
    s.velocity = ecp_v3(ECP_R(1.5), ECP_R(1.2), 0);
    return s;
}

// axis 25 degrees from upside down
static ecp_state on_its_tip(void)
{
    ecp_state s = scene_at(0, 0, 0.525);
    s.orientation = (ecp_quat){ ECP_R(0.21643961393810288), ECP_R(0.97629600711993336), 0, 0 };
    s.position.z = ECP_R(0.525) * ECP_R(0.90630778703664996);
    return s;
}

#define SCENES 9
static scene_plan plan[SCENES];

static void make_plans(void)
{
    const vec none = { 0, 0, 0 };
    const scene_plan list[SCENES] = {
        { "box thrown", &brick, 0.4, { 1, 1, 0.1 }, none, 1, thrown(0.6, 1.5) },
        { "cylinder thrown", &roller, 0.5, { 1, 1, 0.05 }, none, 1, thrown(0.6, 1.0) },
        { "cone thrown", &hat, 0.3, { 1, 1, 0.05 }, none, 1, thrown(0.6, 1.0) },
        { "cone falls from its tip", &hat, 0.4, { 1, 1, 0.05 }, none, 1, on_its_tip() },
        { "ellipsoid thrown", &egg, 0.3, { 1, 1, 0.05 }, none, 1, thrown(0.6, 2.0) },
        { "box slides and spins, axis", &brick, 0.2, { 0.7, 1.4, 0.2 }, { 0.8, 0.6, 0 }, 1, lying(0.2, 2, 3) },
        { "box against two walls, smooth", &brick, 0, { 1, 1, 0 }, none, 3, lying(0.2, 1.5, 0.5) },
        { "egg from within the floor against two walls", &egg, 0.35, { 1, 1, 0.05 }, none, 3, against(0.3, 2.0) },
        { "cylinder against two walls", &roller, 0.2, { 1, 1, 0.05 }, none, 3, against(0.5, 0.5) },
    };
    memcpy(plan, list, sizeof list);
}

static bool fits(const scene_plan *p)
{
    return p->planes + 1 <= ECP_MAX_BODIES && p->planes <= ECP_MAX_CONTACTS;
}

// every scene against `count` variants; the largest deviation of each is printed
static void compare_all(const char *what, const variant *v, int count)
{
    double all = 0;
    for (int i = 0; i < SCENES; i++) {
        double worst = 0;
        if (!fits(&plan[i])) {
            continue;
        }
        run_plain(&plan[i]);
        for (int k = 0; k < count; k++) {
            worst = fmax(worst, deviation(&plan[i], &v[k]));
        }
        printf("%s: %s: %.1e (%d point, %d line, %d surface contacts)\n", what, plan[i].name, worst, reached[0],
               reached[1], reached[2]);
        all = fmax(all, worst);
    }
    ASSERT_SMALL(all, MOTION_TOLERANCE);
}

static void test_turned_scene_moves_the_same(void)
{
    variant v[6];
    test_random r = test_seed(7);
    for (int i = 0; i < 6; i++) {
        const double q[4] = { (double)test_uniform(&r, -1, 1), (double)test_uniform(&r, -1, 1),
                              (double)test_uniform(&r, -1, 1), (double)test_uniform(&r, -1, 1) };
        v[i] = plain;
        v[i].turn = turn_product((ecp_quat){ (ecp_real)q[0], (ecp_real)q[1], (ecp_real)q[2], (ecp_real)q[3] },
                                 (ecp_quat){ 1, 0, 0, 0 });
    }
    // a quarter turn and a half: axes change places, signs change
    v[0].turn = (ecp_quat){ ECP_R(0.70710678118654752), ECP_R(0.70710678118654752), 0, 0 };
    v[1].turn = (ecp_quat){ 0, 0, 1, 0 };
    make_plans();
    compare_all("turned", v, 6);
}

static void test_moved_scene_moves_the_same(void)
{
    variant v[2] = { plain, plain };
    v[0].shift = vec_of(3, -2, 5);
    v[1].shift = vec_of(-40, 25, -10);
    make_plans();
    compare_all("moved", v, 2);
}

static void test_scaled_scene_moves_the_same(void)
{
    variant v[4] = { plain, plain, plain, plain };
    // 1 mm and 1 g; 10 m and 1 t: with gravity in proportion, and with the time that keeps 9.81 m/s^2
    v[0].length = v[1].length = 1e-3;
    v[0].mass = v[1].mass = 1e-3;
    v[1].time = sqrt(1e-3);
    v[2].length = v[3].length = 10;
    v[2].mass = v[3].mass = 1e3;
    v[3].time = sqrt(10);
    make_plans();
    compare_all("scaled", v, 4);
}

static void test_order_of_the_bodies_does_not_matter(void)
{
    variant v[3] = { plain, plain, plain };
    v[0].plane_first = true;
    v[1].body_first = true;
    v[2].plane_first = v[2].body_first = true;
    make_plans();
    for (int i = 0; i < SCENES; i++) {
        if (vec_norm(plan[i].axis) > 0) {
            // the axis is fixed in body B, in the other order the one that moves: it must not turn
            plan[i].start.angular_velocity.z = 0;
        }
    }
    compare_all("other order", v, 3);
}

// ---------------------------------------------------------------------------------------------
// the brick as a hull of its corners, with points inside and on its faces, and as facets

static ecp_plane hull_planes[2][ECP_MAX_FACETS];
static ecp_vec3 hull_vertices[2][ECP_MAX_VERTICES];

static ecp_shape polytope(int slot, const hull *h)
{
    for (int i = 0; i < h->plane_count; i++) {
        const double *p = h->planes[i];
        hull_planes[slot][i] = (ecp_plane){ { (ecp_real)p[0], (ecp_real)p[1], (ecp_real)p[2] }, (ecp_real)p[3] };
    }
    for (int i = 0; i < h->vertex_count; i++) {
        const double *y = h->vertices[i];
        hull_vertices[slot][i] = ecp_v3((ecp_real)y[0], (ecp_real)y[1], (ecp_real)y[2]);
    }
    return (ecp_shape)ECP_POLYTOPE(h->plane_count, hull_planes[slot], h->vertex_count, hull_vertices[slot]);
}

static void test_box_hull_and_facets_move_the_same(void)
{
    static const double points[] = { 0.45, 0.3, 0.2,  -0.45, -0.3, 0.2,  0.45, -0.3, -0.2, -0.45, 0.3, -0.2,
                                     0,    0,   0.2,  -0.45, 0.3,  0.2,  0.45, -0.3, 0.2,  0.1,   0.1, 0,
                                     0.45, 0.3, -0.2, -0.45, -0.3, -0.2, 0.45, 0,    -0.2 };
    static const double planes[] = { 0, 0, 2, 0.4,  1,  0, 0, 0.45, 0, -1, 0,  0.3, -3,
                                     0, 0, 1.35, 0, 1, 0, 0.3, 0,   0, -1, 0.2, 1, 1, 1, 5 };
    const char *why = "";
    hull of_points, of_planes;
    TEST_ASSERT_TRUE_MESSAGE(hull_of_points(&of_points, points, (int)(sizeof points / sizeof *points) / 3, &why), why);
    TEST_ASSERT_TRUE_MESSAGE(hull_of_planes(&of_planes, planes, (int)(sizeof planes / sizeof *planes) / 4, &why), why);
    TEST_ASSERT_EQUAL_INT(8, of_points.vertex_count);
    TEST_ASSERT_EQUAL_INT(6, of_planes.plane_count);
    const ecp_shape as_hull = polytope(0, &of_points), as_facets = polytope(1, &of_planes);
    hull_free(&of_points);
    hull_free(&of_planes);
    variant v[2] = { plain, plain };
    v[0].shape = &as_hull;
    v[1].shape = &as_facets;
    make_plans();
    for (int i = 0; i < SCENES; i++) {
        if (plan[i].shape == &brick && fits(&plan[i])) {
            run_plain(&plan[i]);
            const double h = deviation(&plan[i], &v[0]), f = deviation(&plan[i], &v[1]);
            printf("%s: as hull %.1e, as facets %.1e\n", plan[i].name, h, f);
            ASSERT_SMALL(h, MOTION_TOLERANCE);
            ASSERT_SMALL(f, MOTION_TOLERANCE);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_turned_scene_moves_the_same);
    RUN_TEST(test_moved_scene_moves_the_same);
    RUN_TEST(test_scaled_scene_moves_the_same);
    RUN_TEST(test_order_of_the_bodies_does_not_matter);
    RUN_TEST(test_box_hull_and_facets_move_the_same);
    return UNITY_END();
}
