#include "math/project.h"

// s times the identity
static void scaled_identity(ecp_real D[3][3], ecp_real s)
{
    for (int i = 0; D != NULL && i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            D[i][j] = i == j ? s : ECP_R(0.0);
        }
    }
}

static void set(ecp_real p[3], ecp_real a, ecp_real b, ecp_real c)
{
    if (p != NULL) {
        p[0] = a;
        p[1] = b;
        p[2] = c;
    }
}

// z outside K and outside its polar: k = (z0 + s)/2, p = (k, k u), u = (z1, z2)/s      [S3]
// dp = (dk, dk u + k (d - u (u.d))/s), dk = (d0 + u.d)/2
static void cone_derivative(ecp_real k, ecp_real s, ecp_real u1, ecp_real u2, ecp_real D[3][3])
{
    const ecp_real half = ECP_R(0.5), turn = k / s;
    D[0][0] = half;
    D[0][1] = D[1][0] = half * u1;
    D[0][2] = D[2][0] = half * u2;
    D[1][1] = half * u1 * u1 + turn * u2 * u2;
    D[2][2] = half * u2 * u2 + turn * u1 * u1;
    D[1][2] = D[2][1] = (half - turn) * u1 * u2;
}

void ecp_project_cone(const ecp_real z[3], ecp_real p[3], ecp_real D[3][3])
{
    const ecp_real s = ecp_sqrt(z[1] * z[1] + z[2] * z[2]);
    if (z[0] >= s) {
        set(p, z[0], z[1], z[2]);
        scaled_identity(D, ECP_R(1.0));
    } else if (z[0] <= -s) {
        set(p, ECP_R(0.0), ECP_R(0.0), ECP_R(0.0));
        scaled_identity(D, ECP_R(0.0));
    } else {
        const ecp_real k = ECP_R(0.5) * (z[0] + s), u1 = z[1] / s, u2 = z[2] / s;
        set(p, k, k * u1, k * u2);
        if (D != NULL) {
            cone_derivative(k, s, u1, u2, D);
        }
    }
}

void ecp_project_ball(const ecp_real z[3], ecp_real radius, ecp_real p[3], ecp_real D[3][3],
                      ecp_real dr[3])
{
    const ecp_real s = ecp_sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    const ecp_real r = ecp_max(radius, ECP_R(0.0));
    if (s <= r && radius > ECP_R(0.0)) {
        set(p, z[0], z[1], z[2]);
        scaled_identity(D, ECP_R(1.0));
        set(dr, ECP_R(0.0), ECP_R(0.0), ECP_R(0.0));
        return;
    }
    const ecp_real inverse = s > ECP_R(0.0) ? ECP_R(1.0) / s : ECP_R(0.0);
    const ecp_real u[3] = { z[0] * inverse, z[1] * inverse, z[2] * inverse };
    const ecp_real turn = r * inverse;
    // p = r u, dp = (r/s) (d - u (u.d)) + u dr
    scaled_identity(D, turn);
    for (int i = 0; D != NULL && i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            D[i][j] -= turn * u[i] * u[j];
        }
    }
    set(p, r * u[0], r * u[1], r * u[2]);
    set(dr, u[0], u[1], u[2]);
}
