// vec3.h - three-vectors by value.  Layer: math.
#ifndef ECP_MATH_VEC3_H
#define ECP_MATH_VEC3_H

#include "math/real.h"

static inline ecp_vec3 ecp_v3(ecp_real x, ecp_real y, ecp_real z)
{
    return (ecp_vec3){ x, y, z };
}

static inline ecp_vec3 ecp_v3_add(ecp_vec3 a, ecp_vec3 b)
{
    return ecp_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline ecp_vec3 ecp_v3_sub(ecp_vec3 a, ecp_vec3 b)
{
    return ecp_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline ecp_vec3 ecp_v3_scale(ecp_real s, ecp_vec3 a)
{
    return ecp_v3(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline ecp_vec3 ecp_v3_axpy(ecp_vec3 a, ecp_real s, ecp_vec3 b)
{
    return ecp_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/// componentwise product
static inline ecp_vec3 ecp_v3_mul(ecp_vec3 a, ecp_vec3 b)
{
    return ecp_v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline ecp_real ecp_v3_dot(ecp_vec3 a, ecp_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ecp_vec3 ecp_v3_cross(ecp_vec3 a, ecp_vec3 b)
{
    return ecp_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline ecp_real ecp_v3_norm(ecp_vec3 a)
{
    return ecp_sqrt(ecp_v3_dot(a, a));
}

/// A unit vector with two tangents: t from the world axis least aligned with n, o = n x t.
typedef struct ecp_frame {
    ecp_vec3 n, t, o;
} ecp_frame;

static inline ecp_frame ecp_frame_of(ecp_vec3 n)
{
    const ecp_real x = ecp_fabs(n.x), y = ecp_fabs(n.y), z = ecp_fabs(n.z);
    const ecp_vec3 e = x <= y && x <= z ? ecp_v3(1, 0, 0) : y <= z ? ecp_v3(0, 1, 0) : ecp_v3(0, 0, 1);
    const ecp_vec3 t = ecp_v3_axpy(e, -ecp_v3_dot(n, e), n);
    const ecp_vec3 unit = ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(t), t);
    return (ecp_frame){ n, unit, ecp_v3_cross(n, unit) };
}

static inline bool ecp_v3_finite(ecp_vec3 a)
{
    return ecp_finite(a.x) && ecp_finite(a.y) && ecp_finite(a.z);
}

#endif
