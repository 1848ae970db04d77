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

static inline bool ecp_v3_finite(ecp_vec3 a)
{
    return ecp_finite(a.x) && ecp_finite(a.y) && ecp_finite(a.z);
}

#endif
