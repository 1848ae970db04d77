// mat3.h - 3 x 3 matrices, row-major.  Layer: math.
#ifndef ECP_MATH_MAT3_H
#define ECP_MATH_MAT3_H

#include "math/vec3.h"

typedef struct ecp_mat3 {
    ecp_real m[3][3];
} ecp_mat3;

/// M a
static inline ecp_vec3 ecp_m3_mulv(const ecp_mat3 *M, ecp_vec3 a)
{
    return ecp_v3(M->m[0][0] * a.x + M->m[0][1] * a.y + M->m[0][2] * a.z,
                  M->m[1][0] * a.x + M->m[1][1] * a.y + M->m[1][2] * a.z,
                  M->m[2][0] * a.x + M->m[2][1] * a.y + M->m[2][2] * a.z);
}

/// M^T a
static inline ecp_vec3 ecp_m3_tmulv(const ecp_mat3 *M, ecp_vec3 a)
{
    return ecp_v3(M->m[0][0] * a.x + M->m[1][0] * a.y + M->m[2][0] * a.z,
                  M->m[0][1] * a.x + M->m[1][1] * a.y + M->m[2][1] * a.z,
                  M->m[0][2] * a.x + M->m[1][2] * a.y + M->m[2][2] * a.z);
}

static inline ecp_vec3 ecp_m3_column(const ecp_mat3 *M, int j)
{
    return ecp_v3(M->m[0][j], M->m[1][j], M->m[2][j]);
}

/// A B
static inline ecp_mat3 ecp_m3_mul(const ecp_mat3 *A, const ecp_mat3 *B)
{
    ecp_mat3 C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            C.m[i][j] = A->m[i][0] * B->m[0][j] + A->m[i][1] * B->m[1][j] + A->m[i][2] * B->m[2][j];
        }
    }
    return C;
}

/// R S R^T for a symmetric S; the result is symmetric to the bit
static inline ecp_mat3 ecp_m3_congruence(const ecp_mat3 *R, const ecp_mat3 *S)
{
    const ecp_mat3 RS = ecp_m3_mul(R, S);
    ecp_mat3 C;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            C.m[i][j] = RS.m[i][0] * R->m[j][0] + RS.m[i][1] * R->m[j][1] + RS.m[i][2] * R->m[j][2];
            C.m[j][i] = C.m[i][j];
        }
    }
    return C;
}

/// [a]x, so that [a]x b = a x b
static inline ecp_mat3 ecp_m3_skew(ecp_vec3 a)
{
    return (ecp_mat3){ { { 0, -a.z, a.y }, { a.z, 0, -a.x }, { -a.y, a.x, 0 } } };
}

/// Symmetric matrix from xx, yy, zz, xy, xz, yz
static inline ecp_mat3 ecp_m3_symmetric(const ecp_real s[6])
{
    return (ecp_mat3){ { { s[0], s[3], s[4] }, { s[3], s[1], s[5] }, { s[4], s[5], s[2] } } };
}

#endif
