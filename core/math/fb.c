#include "math/fb.h"

// 1 - 1/sqrt(2): gradient of phi along the diagonal a = b > 0
#define DIAGONAL_GRADIENT ECP_R(0.29289321881345254)

ecp_fb ecp_fb_eval_smoothed(ecp_real a, ecp_real b, ecp_real eps)
{
    const ecp_real r = ecp_sqrt(a * a + b * b + ECP_R(2.0) * eps * eps);
    const ecp_real sum = a + b;

    // kink (also reached by underflow of a^2 + b^2)
    if (r <= ECP_R(0.0)) {
        return (ecp_fb){ .phi = sum, .da = DIAGONAL_GRADIENT, .db = DIAGONAL_GRADIENT };
    }

    // a + b > 0: sum and r nearly cancel, so use (sum^2 - r^2) = 2 (a b - eps^2) instead   [S2a]
    const ecp_real phi = (sum > ECP_R(0.0)) ? ECP_R(2.0) * (a * b - eps * eps) / (sum + r) : sum - r;

    return (ecp_fb){ .phi = phi, .da = ECP_R(1.0) - a / r, .db = ECP_R(1.0) - b / r };
}

ecp_fb ecp_fb_eval(ecp_real a, ecp_real b)
{
    return ecp_fb_eval_smoothed(a, b, ECP_R(0.0));
}
