// The Newton direction of a contact island against differences of its own residual: (J + P) dz = -F
// with J dz by differences and P the proximal term, for every row and every kind of generator.
#include "test.h"

#include "contact/island.h"
#include "math/fb.h"
#include "math/project.h"
#include "math/quat.h"

// a proximal weight large enough to keep J well conditioned, and known, so that it can be added
#define DELTA ECP_R(0.05)

static ecp_island island;

static ecp_quat random_turn(test_random *r)
{
    return ecp_quat_normalised((ecp_quat){ test_uniform(r, -1, 1), test_uniform(r, -1, 1),
                                           test_uniform(r, -1, 1), test_uniform(r, -1, 1) });
}

static ecp_vec3 random_vector(test_random *r, double size)
{
    return ecp_v3(test_uniform(r, -size, size), test_uniform(r, -size, size), test_uniform(r, -size, size));
}

static void random_point(test_random *r, ecp_point *p, ecp_generator_kind kind, int feature, ecp_patch *c)
{
    ecp_curve *v = &c->curve[feature < 2 ? feature : 0];
    const ecp_mat3 *R_u = &island.body[c->I].R_u;
    *p = (ecp_point){ .kind = (uint8_t)kind, .feature = (int16_t)feature, .r_u = random_vector(r, 0.6) };
    p->gap_u = test_uniform(r, -0.02, 0.05);
    if (c->round) {
        p->kind = ECP_GEN_ELLIPSOID;
        v->size = ecp_v3(ECP_R(0.5), ECP_R(0.5), ECP_R(0.5));
        v->q_u = v->size.x;
        p->r_u = ecp_v3(0, 0, 0);
        return;
    }
    // gaps and sides are those of one pose of one generator
    if (c->side_count > 0) {
        p->gap_u += ecp_v3_dot(c->n_u, ecp_v3_add(c->W0_u, p->r_u));
    }
    if (kind == ECP_GEN_ELLIPSOID) {
        v->size = ecp_v3(test_uniform(r, 0.3, 1), test_uniform(r, 0.3, 1), test_uniform(r, 0, 1));
        v->q_u = ecp_v3_norm(ecp_v3_mul(v->size, ecp_m3_tmulv(R_u, c->n_u)));
    }
    if (kind == ECP_GEN_DISC) {
        v->size = ecp_v3(ECP_R(0.5), ECP_R(0.5), 0);
        for (int i = 0; i < 2; i++) {
            v->tilt_u[i] = v->size.x * ecp_v3_dot(c->n_u, ecp_m3_column(R_u, i));
        }
    }
}

static void random_body(test_random *r, ecp_island_body *b, int slot)
{
    const ecp_mat3 inertia = { { { 3, 0, 0 }, { 0, 4, 0 }, { 0, 0, 5 } } };
    *b = (ecp_island_body){ .slot = slot, .v_f = random_vector(r, 0.3), .w_f = random_vector(r, 0.3) };
    b->R_u = ecp_quat_matrix(random_turn(r));
    if (slot >= 0) {
        b->minv = ecp_v3(1, 1, test_uniform(r, 0.5, 2));
        b->Iinv = ecp_m3_congruence(&b->R_u, &inertia);
    }
}

// what the reference of a contact is
typedef enum reference { HALF_SPACE, FACE, BALL } reference;

static void random_patch(test_random *r, ecp_patch *c, ecp_generator_kind kind, reference what)
{
    const ecp_mat3 R = ecp_quat_matrix(random_turn(r));
    c->n_u = ecp_m3_column(&R, 2);
    c->axis = random_vector(r, 1);
    c->W0_u = random_vector(r, 1);
    c->round = what == BALL;
    c->side_count = what == FACE ? 3 : 0;
    if (c->round) {
        c->n_u = ecp_v3_scale(1 / ecp_v3_norm(c->W0_u), c->W0_u);
    }
    for (int j = 0; j < c->side_count; j++) {
        // not at right angles to the face
        c->b_u[j] = ecp_v3_axpy(ecp_m3_column(&R, j % 2), ECP_R(0.3), c->n_u);
        c->b_u[j] = ecp_v3_scale((j == 2 ? -1 : 1) / ecp_v3_norm(c->b_u[j]), c->b_u[j]);
        c->d[j] = test_uniform(r, 0.1, 0.8);
    }
    c->mu = c->I == 0 ? ECP_R(0.05) : ECP_R(0.9);  // mostly slips; mostly sticks
    c->e[0] = 1;
    c->e[1] = ECP_R(1.5);
    c->e[2] = ECP_R(0.4);
    c->point_count = c->round ? 1 : (kind == ECP_GEN_VERTEX ? 4 : 2);
    for (int k = 0; k < c->point_count; k++) {
        random_point(r, &c->point[k], kind, k, c);
    }
}

// bodies 0, 1, 2 move, 3 is prescribed: contacts 0 on 1, 1 on 2, 2 on 3, and 3 on 0
static void random_island(test_random *r, ecp_generator_kind kind, reference what)
{
    static const int pair[4][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 0 } };
    island = (ecp_island){ .tau = ECP_R(0.1), .tolerance = 1, .gap_tolerance = 1 };
    island.body_count = 4;
    island.moving_count = 3;
    for (int i = 0; i < 4; i++) {
        random_body(r, &island.body[i], i < 3 ? i : -1);
    }
    island.patch_count = ECP_MAX_CONTACTS < 4 ? ECP_MAX_CONTACTS : 4;
    for (int i = 0; i < island.patch_count; i++) {
        island.patch[i].I = pair[i][0];
        island.patch[i].R = pair[i][1];
        random_patch(r, &island.patch[i], kind, what);
    }
    ecp_island_prepare(&island);
    island.prox_floor = DELTA;
}

// what the proximal term adds to J dz: delta times the part of each row that leans on the motion [G9]
static void add_proximal(const ecp_real *z, const ecp_real *dz, ecp_real *J_dz)
{
    const ecp_real rho = ECP_FRICTION_RHO;  // of normal and friction rows alike
    int row = ecp_island_first(&island);
    for (int i = 0; i < island.patch_count; i++) {
        const ecp_patch *c = &island.patch[i];
        ecp_real x[3], y[3], D[3][3], dr[3];
        for (int k = 0; k < c->point_count; k++) {
            const ecp_point *p = &c->point[k];
            const int f = row + p->first;
            if (p->width == 1) {
                J_dz[f] += DELTA * ecp_fb_eval(z[f] / c->mk, rho * p->y).db * dz[f] / c->mk;
                continue;
            }
            for (int j = 0; j < 3; j++) {
                x[j] = z[f + j] / c->mk - rho * (j == 0 ? p->y : ecp_patch_curve(c, p)->tilt[j - 1]);
            }
            ecp_project_cone(x, y, D);
            for (int j = 0; j < 3; j++) {
                J_dz[f + j] += DELTA * (D[j][0] * dz[f] + D[j][1] * dz[f + 1] + D[j][2] * dz[f + 2]) / c->mk;
            }
        }
        row += c->width;
        for (int j = 0; j < c->side_count; j++) {
            J_dz[row + j] += DELTA * ecp_fb_eval(z[row + j], c->slack[j] / c->mk).db * dz[row + j];
        }
        row += c->side_count;
        for (int j = 0; j < 3; j++) {
            x[j] = z[row + j] / c->mf - rho * c->vhat[j];
        }
        ecp_project_ball(x, c->mu * c->px / c->mf, y, D, dr);
        for (int j = 0; j < 3; j++) {
            J_dz[row + j] += DELTA * rho * (D[j][0] * dz[row] + D[j][1] * dz[row + 1] + D[j][2] * dz[row + 2]) / c->mf;
        }
        row += 3;
    }
}

// J dz by central differences; error e^2 |dz|^2 from curvature and 1/e from rounding
static void differences(const ecp_real *z, const ecp_real *dz, ecp_real e, ecp_real *J_dz)
{
    static ecp_real at[ECP_ISLAND_UNKNOWNS], minus[ECP_ISLAND_UNKNOWNS];
    ecp_real natural;
    for (int i = 0; i < island.n; i++) {
        at[i] = z[i] - e * dz[i];
    }
    (void)ecp_island_evaluate(&island, at, minus, &natural);
    for (int i = 0; i < island.n; i++) {
        at[i] = z[i] + e * dz[i];
    }
    (void)ecp_island_evaluate(&island, at, J_dz, &natural);
    for (int i = 0; i < island.n; i++) {
        J_dz[i] = (J_dz[i] - minus[i]) / (ECP_R(2.0) * e);
    }
}

// impulses pressing more than rubbing: there the weights of the ECP have no constant part, which the
// Jacobian leaves out on purpose [G5]
static void random_unknowns(test_random *r, ecp_real *z)
{
    int row = ecp_island_first(&island);
    test_fill(r, z, row, -0.3, 0.3);
    for (int i = 0; i < island.patch_count; i++) {
        const ecp_patch *c = &island.patch[i];
        test_fill(r, z + row, c->width, -0.1, 0.9);
        test_fill(r, z + row + c->width, c->side_count, -0.1, 0.6);
        test_fill(r, z + row + ecp_patch_friction(c), 3, -0.02, 0.02);
        row += ecp_patch_size(c);
    }
}

static bool presses(void)
{
    bool all = true;
    for (int i = 0; i < island.patch_count; i++) {
        all = all && island.patch[i].px > (island.patch[i].round ? ECP_R(0.1) : ECP_R(0.5));
    }
    return all;
}

static void check_direction(ecp_generator_kind kind, reference what, uint64_t seed)
{
    static ecp_real z[ECP_ISLAND_UNKNOWNS], F[ECP_ISLAND_UNKNOWNS], dz[ECP_ISLAND_UNKNOWNS];
    static ecp_real J_dz[ECP_ISLAND_UNKNOWNS];
    test_random r = test_seed(seed);
    int checked = 0, kinks = 0;
    for (int trial = 0; trial < 1500 && ECP_MAX_BODIES >= 4; trial++) {
        ecp_real natural;
        random_island(&r, kind, what);
        random_unknowns(&r, z);
        TEST_ASSERT_TRUE(ecp_island_evaluate(&island, z, F, &natural));
        if (!presses() || !ecp_island_factor(&island, z, 0)) {
            continue;
        }
        ecp_island_direction(&island, F, dz);
        const ecp_real size = ECP_R(1.0) + test_largest(dz, island.n), e = TOL(1e-3, 1e-6) / size;
        differences(z, dz, e, J_dz);
        (void)ecp_island_evaluate(&island, z, F, &natural);
        add_proximal(z, dz, J_dz);
        ecp_real worst = 0;
        for (int i = 0; i < island.n; i++) {
            worst = ecp_max(worst, ecp_fabs(J_dz[i] + F[i]));
        }
        // a kink of a projection between the two points shows as an error of the size of J dz
        kinks += worst > TOL(2e-2, 1e-7) * size;
        checked++;
    }
    TEST_ASSERT_TRUE(checked >= 100 || ECP_MAX_BODIES < 4);
    TEST_ASSERT_TRUE(kinks <= checked / 25);
}

static void test_direction_of_vertices_on_half_spaces_is_newtons(void) { check_direction(ECP_GEN_VERTEX, HALF_SPACE, 11); }
static void test_direction_of_discs_on_half_spaces_is_newtons(void) { check_direction(ECP_GEN_DISC, HALF_SPACE, 12); }
static void test_direction_of_moving_points_on_half_spaces_is_newtons(void) { check_direction(ECP_GEN_ELLIPSOID, HALF_SPACE, 13); }
static void test_direction_of_vertices_over_edges_is_newtons(void) { check_direction(ECP_GEN_VERTEX, FACE, 21); }
static void test_direction_of_discs_over_edges_is_newtons(void) { check_direction(ECP_GEN_DISC, FACE, 22); }
static void test_direction_of_moving_points_over_edges_is_newtons(void) { check_direction(ECP_GEN_ELLIPSOID, FACE, 23); }
static void test_direction_of_spheres_on_spheres_is_newtons(void) { check_direction(ECP_GEN_ELLIPSOID, BALL, 24); }

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_direction_of_vertices_on_half_spaces_is_newtons);
    RUN_TEST(test_direction_of_discs_on_half_spaces_is_newtons);
    RUN_TEST(test_direction_of_moving_points_on_half_spaces_is_newtons);
    RUN_TEST(test_direction_of_vertices_over_edges_is_newtons);
    RUN_TEST(test_direction_of_discs_over_edges_is_newtons);
    RUN_TEST(test_direction_of_moving_points_over_edges_is_newtons);
    RUN_TEST(test_direction_of_spheres_on_spheres_is_newtons);
    return UNITY_END();
}
