// quat.h - unit quaternions (w, x, y, z), body to world, and the Cayley rotation.
//
// Cay(u) a = a + 2/(1+u.u) (u x a + u x (u x a)), u = h w / 2        MODEL.md [K1]
// Rational: no trigonometry, the same bits everywhere.  Layer: math.
#ifndef ECP_MATH_QUAT_H
#define ECP_MATH_QUAT_H

#include "math/mat3.h"

static inline bool ecp_quat_finite(ecp_quat q)
{
    return ecp_finite(q.w) && ecp_finite(q.x) && ecp_finite(q.y) && ecp_finite(q.z);
}

static inline ecp_real ecp_quat_norm(ecp_quat q)
{
    return ecp_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

/// q / |q|; the identity when |q| is 0
static inline ecp_quat ecp_quat_normalised(ecp_quat q)
{
    const ecp_real n = ecp_quat_norm(q);
    if (!(n > ECP_R(0.0))) {
        return (ecp_quat){ ECP_R(1.0), ECP_R(0.0), ECP_R(0.0), ECP_R(0.0) };
    }
    return (ecp_quat){ q.w / n, q.x / n, q.y / n, q.z / n };
}

/// p q: first q, then p
static inline ecp_quat ecp_quat_mul(ecp_quat p, ecp_quat q)
{
    return (ecp_quat){ p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                       p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                       p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                       p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w };
}

/// Rotation matrix of a unit quaternion
static inline ecp_mat3 ecp_quat_matrix(ecp_quat q)
{
    const ecp_real x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    const ecp_real xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    const ecp_real xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    const ecp_real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (ecp_mat3){ { { ECP_R(1.0) - (yy + zz), xy - wz, xz + wy },
                         { xy + wz, ECP_R(1.0) - (xx + zz), yz - wx },
                         { xz - wy, yz + wx, ECP_R(1.0) - (xx + yy) } } };
}

/// Orientation after turning by Cay(u), normalised
static inline ecp_quat ecp_quat_cayley_step(ecp_quat q, ecp_vec3 u)
{
    return ecp_quat_normalised(ecp_quat_mul((ecp_quat){ ECP_R(1.0), u.x, u.y, u.z }, q));
}

/// Cay(u) a - a, without cancellation
static inline ecp_vec3 ecp_cayley_increment(ecp_vec3 u, ecp_vec3 a)
{
    const ecp_real s = ECP_R(2.0) / (ECP_R(1.0) + ecp_v3_dot(u, u));
    const ecp_vec3 ua = ecp_v3_cross(u, a);
    return ecp_v3_scale(s, ecp_v3_add(ua, ecp_v3_cross(u, ua)));
}

/// Cay(u) a
static inline ecp_vec3 ecp_cayley(ecp_vec3 u, ecp_vec3 a)
{
    return ecp_v3_add(a, ecp_cayley_increment(u, a));
}

#endif
