// The scenario file of the desk against a planar model of three unknowns that was solved by other means
// (host_tests/data/desk_planar.csv), to 1e-8. Float: each step may be wrong by its tolerance of 1e-5,
// which sliding friction does not amplify.
#include "file_scene.h"
#include "judge.h"

enum { T, VX, VY, WZ, X, Y, THETA, AX, AY, COLUMNS };

static FILE *open_data(const char *name)
{
    char path[512], line[1024];
    (void)snprintf(path, sizeof path, "%s/host_tests/data/%s.csv", ECP_SOURCE_DIR, name);
    FILE *f = fopen(path, "r");
    TEST_ASSERT_TRUE_MESSAGE(f != NULL, path);
    TEST_ASSERT_TRUE(fgets(line, sizeof line, f) != NULL);
    return f;
}

static bool next_row(FILE *f, double row[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++) {
        if (fscanf(f, i == 0 ? "%lf" : ",%lf", &row[i]) != 1) {
            return false;
        }
    }
    return true;
}

static void widen(double *to, double a, double b)
{
    *to = fabs(a - b) > *to ? fabs(a - b) : *to;
}

typedef struct deviation {
    double pose, velocity, ecp, lifted;
} deviation;

static void compare(deviation *d, const double row[COLUMNS], const ecp_state *s, const ecp_report *r)
{
    widen(&d->velocity, row[VX], (double)s->velocity.x);
    widen(&d->velocity, row[VY], (double)s->velocity.y);
    widen(&d->velocity, row[WZ], (double)s->angular_velocity.z);
    widen(&d->pose, row[X], (double)s->position.x);
    widen(&d->pose, row[Y], (double)s->position.y);
    widen(&d->pose, row[THETA], 2.0 * atan2((double)s->orientation.z, (double)s->orientation.w));
    widen(&d->ecp, row[AX], (double)r->contact[0].a.x);
    widen(&d->ecp, row[AY], (double)r->contact[0].a.y);
    widen(&d->lifted, 0.45, (double)s->position.z);
}

static void test_desk_equals_the_planar_model(void)
{
    deviation d = { 0, 0, 0, 0 };
    judgement all = { 0, 0, 0, 0, 0, 0, 0, 0 };
    double row[COLUMNS];
    FILE *f = open_data("desk_planar");
    file_open("desk");
    const int body = file_mover();
    TEST_ASSERT_TRUE(next_row(f, row));  // initial state
    int k = 0;
    double angle = 0;
    for (; next_row(f, row); k++) {
        static judge start;
        ecp_report r;
        TEST_ASSERT_TRUE(loads_apply(&file_scene, &scene_world, k) >= 0);
        judge_start(&start, file_scene.h);
        TEST_ASSERT_EQUAL_INT(ECP_OK, ecp_step(&scene_world, (ecp_real)file_scene.h, &r));
        TEST_ASSERT_EQUAL_INT(3, r.contact[0].patch);
        all = judgement_join(all, judge_step(&start, body, &r));
        const ecp_state s = scene_state(body);
        // the planar model sums h wz; a Cayley step turns by 2 arctan(h wz/2)
        angle += 2.0 * atan(0.5 * file_scene.h * row[WZ]);
        row[THETA] = angle;
        compare(&d, row, &s, &r);
    }
    (void)fclose(f);
    scenario_free(&file_scene);
    printf("desk: %d steps, pose %.1e, velocity %.1e, ECP %.1e, height %.1e of the planar model\n", k, d.pose,
           d.velocity, d.ecp, d.lifted);
    judgement_print("desk", all);
    TEST_ASSERT_EQUAL_INT(400, k);
    ASSERT_SMALL(d.pose, TOL(1e-4, 1e-8));
    ASSERT_SMALL(d.velocity, TOL(1e-4, 1e-8));
    ASSERT_SMALL(d.ecp, TOL(1e-4, 1e-8));
    ASSERT_SMALL(d.lifted, TOL(1e-5, 1e-9));
    ASSERT_SMALL(judgement_worst(all), TOL(2e-3, 1e-8));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_desk_equals_the_planar_model);
    return UNITY_END();
}
