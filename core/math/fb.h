// fb.h - the Fischer-Burmeister function and one of its generalised gradients.
//
//   phi(a, b) = a + b - sqrt(a^2 + b^2)
//   phi(a, b) = 0   <=>   a >= 0, b >= 0, a*b = 0
//
// Layer: math.  Model: MODEL.md [S2].
#ifndef ECP_MATH_FB_H
#define ECP_MATH_FB_H

#include "math/real.h"

/// Value and gradient element at one complementarity pair.
typedef struct ecp_fb {
    ecp_real phi;     ///< residual; 0.58 to 3.42 times |min(a, b)|
    ecp_real da, db;  ///< d phi/d a and d phi/d b, both in [0, 2]
} ecp_fb;

/// Evaluate the pair (a, b). Domain: a^2 + b^2 must not overflow (|a|, |b| <= 1e18 is safe).
/// At the origin, where phi has a kink, the gradient is the limit along a = b > 0.
ecp_fb ecp_fb_eval(ecp_real a, ecp_real b);

/// The smoothed function a + b - sqrt(a^2 + b^2 + 2 eps^2), zero where a b = eps^2 with a, b > 0.
/// Equal to ecp_fb_eval at eps = 0.
ecp_fb ecp_fb_eval_smoothed(ecp_real a, ecp_real b, ecp_real eps);

#endif
