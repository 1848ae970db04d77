// real.h - the real type and the only functions of it that core may call.
//
// + - * / sqrt fabs are correctly rounded everywhere, so host and target give the same bits.
// Layer: math.
#ifndef ECP_MATH_REAL_H
#define ECP_MATH_REAL_H

#include "ecp.h"

#include <float.h>
#include <math.h>

#if ECP_REAL_BITS == 32
#define ECP_R(x) x##f
#define ECP_REAL_EPS FLT_EPSILON
#define ECP_REAL_MAX FLT_MAX
#define ecp_sqrt(x) sqrtf(x)
#define ecp_fabs(x) fabsf(x)
#else
#define ECP_R(x) x
#define ECP_REAL_EPS DBL_EPSILON
#define ECP_REAL_MAX DBL_MAX
#define ecp_sqrt(x) sqrt(x)
#define ecp_fabs(x) fabs(x)
#endif

static inline ecp_real ecp_max(ecp_real a, ecp_real b)
{
    return a > b ? a : b;
}

static inline ecp_real ecp_min(ecp_real a, ecp_real b)
{
    return a < b ? a : b;
}

/// True for every number but NaN and the infinities. Comparisons only, so no libm call.
static inline bool ecp_finite(ecp_real x)
{
    return ecp_fabs(x) <= ECP_REAL_MAX;
}

#endif
