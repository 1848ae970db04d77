#include "world/body.h"

#include "math/chol.h"
#include "math/lu.h"

void ecp_body_lock(ecp_state *s, unsigned lock)
{
    ecp_real *v[6] = { &s->velocity.x, &s->velocity.y, &s->velocity.z,
                       &s->angular_velocity.x, &s->angular_velocity.y, &s->angular_velocity.z };
    for (unsigned i = 0; i < 6; i++) {
        if ((lock >> i) & 1u) {
            *v[i] = 0;
        }
    }
}

// Z (Z^T A Z)^-1 Z^T with Z the free axes of the mask; false when singular
static bool free_inverse(const ecp_mat3 *A, unsigned locked, ecp_mat3 *out)
{
    ecp_real a[9], e[9], tmp[3];
    int perm[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const bool skip = ((locked >> i) & 1u) || ((locked >> j) & 1u);
            a[3 * i + j] = skip ? (i == j ? ECP_R(1.0) : ECP_R(0.0)) : A->m[i][j];
            e[3 * i + j] = i == j && !((locked >> i) & 1u) ? ECP_R(1.0) : ECP_R(0.0);
        }
    }
    // a locked axis has the unit as its row, which must not look singular beside small inertias
    ecp_real scale = 0;
    for (int i = 0; i < 3; i++) {
        scale = ecp_max(scale, ((locked >> i) & 1u) ? ECP_R(0.0) : ecp_fabs(A->m[i][i]));
    }
    for (int i = 0; i < 3; i++) {
        if (((locked >> i) & 1u) && scale > ECP_R(0.0)) {
            a[3 * i + i] = scale;
        }
    }
    if (!ecp_lu_factor(a, 3, perm) || !ecp_lu_solve(a, 3, perm, e, 3, tmp)) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        out->m[i / 3][i % 3] = e[i];
    }
    return true;
}

bool ecp_body_free_motion(const ecp_body *b, ecp_vec3 gravity, ecp_real h, bool first,
                          ecp_free_motion *out)
{
    const ecp_mat3 Ib = ecp_m3_symmetric(b->inertia);
    const ecp_mat3 R = ecp_quat_matrix(b->state.orientation);
    const ecp_mat3 I = ecp_m3_congruence(&R, &Ib);
    const ecp_vec3 w = b->state.angular_velocity;
    const ecp_vec3 Iw = ecp_m3_mulv(&I, w);
    const unsigned locked = b->lock >> 3;
    ecp_vec3 p = ecp_v3_scale(h, ecp_v3_axpy(b->force, b->mass, gravity));
    ecp_vec3 tau = ecp_v3_scale(h, b->torque);
    if (first) {
        p = ecp_v3_add(p, b->impulse);
        tau = ecp_v3_add(tau, b->angular_impulse);
    }
    const ecp_real k = ECP_R(1.0) / b->mass;
    out->minv = ecp_v3((b->lock & ECP_LOCK_X) ? 0 : k, (b->lock & ECP_LOCK_Y) ? 0 : k,
                       (b->lock & ECP_LOCK_Z) ? 0 : k);
    out->dv = ecp_v3_mul(out->minv, p);
    out->v = ecp_v3_add(b->state.velocity, out->dv);

    // J = I + h ([w]x I - [I w]x): one Newton step of the implicit gyroscopic equation   [D1]
    const ecp_mat3 wx = ecp_m3_skew(w), wxI = ecp_m3_mul(&wx, &I), Iwx = ecp_m3_skew(Iw);
    ecp_mat3 J, Jinv;
    for (int i = 0; i < 9; i++) {
        J.m[i / 3][i % 3] = I.m[i / 3][i % 3] + h * (wxI.m[i / 3][i % 3] - Iwx.m[i / 3][i % 3]);
    }
    if (!free_inverse(&I, locked, &out->Iinv) || !free_inverse(&J, locked, &Jinv)) {
        return false;
    }
    const ecp_vec3 load = ecp_v3_axpy(tau, -h, ecp_v3_cross(w, Iw));
    out->w = ecp_v3_add(w, ecp_m3_mulv(&Jinv, load));
    return ecp_v3_finite(out->v) && ecp_v3_finite(out->w);
}

// x + d with the rounding error of the sum left in *carry (Neumaier's two-sum, |d| <= |x| not needed)
static ecp_real carried(ecp_real x, ecp_real d, ecp_real *carry)
{
    const ecp_real add = d + *carry, sum = x + add, back = sum - x;
    *carry = (x - (sum - back)) + (add - back);
    return sum;
}

static ecp_vec3 carried3(ecp_vec3 x, ecp_vec3 d, ecp_vec3 *carry)
{
    return ecp_v3(carried(x.x, d.x, &carry->x), carried(x.y, d.y, &carry->y), carried(x.z, d.z, &carry->z));
}

ecp_carry ecp_body_carry(const ecp_body *b, ecp_vec3 dv, ecp_real h, ecp_state *end)
{
    ecp_carry c = b->carry;
    end->velocity = carried3(b->state.velocity, dv, &c.v);
    end->position = carried3(b->state.position, ecp_v3_scale(h, end->velocity), &c.x);
    return c;
}

bool ecp_body_mass_ok(ecp_real mass, const ecp_real I[6])
{
    for (int i = 0; i < 6; i++) {
        if (!ecp_finite(I[i])) {
            return false;
        }
    }
    const ecp_real trace = I[0] + I[1] + I[2];
    if (!(mass > ECP_R(0.0)) || !ecp_finite(mass) || !(trace > ECP_R(0.0))) {
        return false;
    }
    // positive definite I; and trace/2 1 - I, the second moments, semidefinite: the triangle rule
    ecp_real a[9], b[9];
    const ecp_mat3 M = ecp_m3_symmetric(I);
    for (int i = 0; i < 9; i++) {
        const ecp_real unit = i % 4 == 0 ? ECP_R(1.0) : ECP_R(0.0);
        a[i] = M.m[i / 3][i % 3] / trace;
        b[i] = unit * (ECP_R(0.5) + ECP_R(64.0) * ECP_REAL_EPS) - a[i];
    }
    return ecp_chol_factor(a, 3) && ecp_chol_factor(b, 3);
}
