// blocks.c - the Newton step of an island: 6 x 6 blocks of its bodies, zero blocks skipped.   [G9]
//
//   (I - M^-1 K) dnu = -F_D - M^-1 W y,   K the wrenches by the velocities after elimination
// Two bodies are coupled where they share a contact. Block LU in body order, pivoting inside blocks: a
// chain in order costs linear time.
#include "contact/eliminate.h"
#include "math/lu.h"

#define MAX_FACTOR_TRIES 4

static ecp_real *block(ecp_island *is, int i, int j)
{
    return is->A[i * ecp_island_moving(is) + j];
}

static bool *coupled(ecp_island *is, int i, int j)
{
    return &is->coupled[i * ecp_island_moving(is) + j];
}

static void clear_blocks(ecp_island *is)
{
    for (int i = 0; i < ecp_island_moving(is) * ecp_island_moving(is); i++) {
        const bool diagonal = i % (ecp_island_moving(is) + 1) == 0;
        is->coupled[i] = diagonal;
        for (int k = 0; k < 36; k++) {
            is->A[i][k] = diagonal && k % 7 == 0 ? ECP_R(1.0) : ECP_R(0.0);
        }
    }
}

// M^-1 of a wrench given as six numbers
static void apply_inverse_mass(const ecp_island_body *b, const ecp_real wrench[6], ecp_real out[6])
{
    const ecp_vec3 f = ecp_v3_mul(b->minv, ecp_v3(wrench[0], wrench[1], wrench[2]));
    const ecp_vec3 m = ecp_m3_mulv(&b->Iinv, ecp_v3(wrench[3], wrench[4], wrench[5]));
    const ecp_real d[6] = { f.x, f.y, f.z, m.x, m.y, m.z };
    for (int i = 0; i < 6; i++) {
        out[i] = d[i];
    }
}

// wrench on R from that on I: the opposite, about the origin of R
static void to_reference(const ecp_patch *c, ecp_real w[6])
{
    const ecp_vec3 turn = ecp_v3_cross(c->W0, ecp_v3(w[0], w[1], w[2]));
    w[3] += turn.x;
    w[4] += turn.y;
    w[5] += turn.z;
    for (int i = 0; i < 6; i++) {
        w[i] = -w[i];
    }
}

// column j of the wrench on the body of the row, and its block of A
static void add_column(ecp_island *is, const ecp_patch *c, int j, const ecp_real col[6], bool reference)
{
    const ecp_island_body *row = &is->body[reference ? c->R : c->I], *of = &is->body[j < 6 ? c->I : c->R];
    ecp_real w[6], d[6];
    if (row->slot < 0 || of->slot < 0) {
        return;
    }
    for (int i = 0; i < 6; i++) {
        w[i] = col[i];
    }
    if (reference) {
        to_reference(c, w);
        if (j % 6 < 3) {
            // the lever moves with the bodies: -dV x P
            const ecp_vec3 P = ecp_v3_axpy(c->Pt, c->px, c->n);
            const ecp_real step = j < 6 ? is->tau : -is->tau;
            const ecp_vec3 e = { j % 6 == 0, j % 6 == 1, j % 6 == 2 };
            const ecp_vec3 turn = ecp_v3_cross(ecp_v3_scale(step, e), P);
            w[3] -= turn.x;
            w[4] -= turn.y;
            w[5] -= turn.z;
        }
    }
    apply_inverse_mass(row, w, d);
    *coupled(is, row->slot, of->slot) = true;
    for (int i = 0; i < 6; i++) {
        block(is, row->slot, of->slot)[6 * i + j % 6] -= d[i];
    }
}

static void add_patch(ecp_island *is, const ecp_patch *c, ecp_real K[6][ECP_CONTACT_COLUMNS])
{
    for (int j = 0; j < ECP_PATCH_SPAN; j++) {
        if (is->body[j < 6 ? c->I : c->R].slot < 0) {
            continue;
        }
        ecp_real col[6];
        for (int i = 0; i < 6; i++) {
            col[i] = K[i][j % ECP_CONTACT_COLUMNS];
        }
        add_column(is, c, j, col, false);
        if (ECP_WITH_PAIRS) {
            add_column(is, c, j, col, true);
        }
    }
}

// a -= b c, 6 x 6
static void subtract_product(ecp_real *a, const ecp_real *b, const ecp_real *c)
{
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 6; k++) {
            const ecp_real f = b[6 * i + k];
            for (int j = 0; j < 6; j++) {
                a[6 * i + j] -= f * c[6 * k + j];
            }
        }
    }
}

// block LU in place: A_kk factored, A_kj <- A_kk^-1 A_kj, A_ij -= A_ik A_kj
static bool factor_blocks(ecp_island *is)
{
    ecp_real tmp[6];
    const int n = ecp_island_moving(is);
    for (int k = 0; k < n; k++) {
        if (!ecp_lu_factor(block(is, k, k), 6, is->perm[k])) {
            return false;
        }
        for (int j = k + 1; j < n; j++) {
            if (*coupled(is, k, j) && !ecp_lu_solve(block(is, k, k), 6, is->perm[k], block(is, k, j), 6, tmp)) {
                return false;
            }
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k + 1; *coupled(is, i, k) && j < n; j++) {
                if (*coupled(is, k, j)) {
                    *coupled(is, i, j) = true;
                    subtract_product(block(is, i, j), block(is, i, k), block(is, k, j));
                }
            }
        }
    }
    return true;
}

// v -= a x, 6 x 6
static void subtract_times(ecp_real *v, const ecp_real *a, const ecp_real *x)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            v[i] -= a[6 * i + j] * x[j];
        }
    }
}

static void solve_blocks(ecp_island *is, ecp_real *x)
{
    ecp_real tmp[6];
    const int n = ecp_island_moving(is);
    for (int k = 0; k < n; k++) {
        (void)ecp_lu_solve(block(is, k, k), 6, is->perm[k], x + 6 * k, 1, tmp);
        for (int i = k + 1; i < n; i++) {
            if (*coupled(is, i, k)) {
                subtract_times(x + 6 * i, block(is, i, k), x + 6 * k);
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            if (*coupled(is, k, j)) {
                subtract_times(x + 6 * k, block(is, k, j), x + 6 * j);
            }
        }
    }
}

// f = tau (dw + u x dw)/(1 + u.u)
static void rotation_derivative(const ecp_island *is, ecp_island_body *b)
{
    const ecp_real k = is->tau / (ECP_R(1.0) + ecp_v3_dot(b->u, b->u));
    b->Fm = ecp_m3_skew(ecp_v3_scale(k, b->u));
    for (int i = 0; i < 3; i++) {
        b->Fm.m[i][i] += k;
    }
}

static bool factor_with(ecp_island *is, const ecp_real *z, ecp_real delta)
{
    const ecp_real *s = z + ecp_island_first(is);
    clear_blocks(is);
    for (int i = 0; i < is->patch_count; i++) {
        ecp_real K[6][ECP_CONTACT_COLUMNS];
        if (!ecp_eliminate(is, &is->patch[i], s, delta, K)) {
            return false;
        }
        add_patch(is, &is->patch[i], K);
        s += ecp_patch_size(&is->patch[i]);
    }
    return factor_blocks(is);
}

bool ecp_island_factor(void *ctx, const ecp_real *z, ecp_real norm_F)
{
    ecp_island *is = ctx;
    ecp_real delta = ecp_max(is->prox_scale * ecp_min(ECP_R(1.0), norm_F), is->prox_floor);
    for (int i = 0; i < is->body_count; i++) {
        rotation_derivative(is, &is->body[i]);
    }
    // stiff contacts hide the free directions behind rounding: a larger proximal term shows them
    for (int i = 0; i < MAX_FACTOR_TRIES; i++) {
        if (factor_with(is, z, delta)) {
            return true;
        }
        delta *= ECP_R(10.0);
    }
    return false;
}

// dz of the velocities -= M^-1 W y
static void subtract_wrench(const ecp_island *is, const ecp_patch *c, const ecp_real *y, ecp_real *dz)
{
    ecp_real w[6] = { 0 }, d[6];
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < ecp_patch_size(c); k++) {
            w[i] += c->W[i][k] * y[k];
        }
    }
    for (int body = 0; body < (ECP_WITH_PAIRS ? 2 : 1); body++) {
        const ecp_island_body *b = &is->body[body == 0 ? c->I : c->R];
        if (body == 1) {
            to_reference(c, w);
        }
        apply_inverse_mass(b, w, d);
        for (int i = 0; i < 6 && b->slot >= 0; i++) {
            dz[6 * b->slot + i] -= d[i];
        }
    }
}

void ecp_island_direction(void *ctx, const ecp_real *F, ecp_real *dz)
{
    ecp_island *is = ctx;
    int row = ecp_island_first(is);
    for (int i = 0; i < row; i++) {
        dz[i] = -F[i];
    }
    for (int i = 0; i < is->patch_count; i++) {
        ecp_eliminate_solve(&is->patch[i], F + row, dz + row);
        subtract_wrench(is, &is->patch[i], dz + row, dz);
        row += ecp_patch_size(&is->patch[i]);
    }
    solve_blocks(is, dz);
    row = ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        for (int k = 0; k < ecp_patch_size(c); k++) {
            ecp_real sum = -dz[row + k];
            for (int j = 0; j < ECP_PATCH_SPAN; j++) {
                const int slot = is->body[j < 6 ? c->I : c->R].slot;
                sum -= slot < 0 ? ECP_R(0.0) : c->T[k][j % ECP_CONTACT_COLUMNS] * dz[6 * slot + j % 6];
            }
            dz[row + k] = sum;
        }
        row += ecp_patch_size(c);
    }
}
