// project.h - projections on a ball and on the second-order cone of R^3, with derivatives.
//
// Both maps are the identity inside the set, so z - Proj(z - y) = 0 states complementarity over
// it. On a boundary the derivative is that of the inner side.  Layer: math.  MODEL.md [S3].
#ifndef ECP_MATH_PROJECT_H
#define ECP_MATH_PROJECT_H

#include "math/real.h"

/// p = the point of K = {x0 >= |(x1, x2)|} nearest to z. D (or NULL) gets dp/dz, symmetric.
/// p may alias z.
void ecp_project_cone(const ecp_real z[3], ecp_real p[3], ecp_real D[3][3]);

/// p = the point of |x| <= radius nearest to z; a radius <= 0 is taken as 0, from above: p = 0,
/// dr = z/|z|. D (or NULL) gets dp/dz, symmetric; dr (or NULL) gets dp/dradius. p may alias z.
void ecp_project_ball(const ecp_real z[3], ecp_real radius, ecp_real p[3], ecp_real D[3][3],
                      ecp_real dr[3]);

#endif
