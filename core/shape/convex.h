// convex.h - convex shapes: their inequalities, their generators, their supports.
//
// A shape is the intersection {f_i <= 0} (facets) and the hull of its generators: vertices, discs
// (cylinder caps, cone base) or one ellipsoid.  Layer: shape.  MODEL.md [S1] to [S3].
#ifndef ECP_SHAPE_CONVEX_H
#define ECP_SHAPE_CONVEX_H

#include "math/mat3.h"

/// The tip of a cone's side inequality is rounded inwards by this part of its radius.
#define ECP_CONE_ROUNDING ECP_R(1e-3)

typedef enum ecp_generator_kind {
    ECP_GEN_VERTEX,    ///< the point y
    ECP_GEN_DISC,      ///< disc of radius size.x about y, normal to body z
    ECP_GEN_ELLIPSOID  ///< ellipsoid about y with semi-axes size (a rim point is size.z = 0)
} ecp_generator_kind;

typedef struct ecp_generator {
    ecp_generator_kind kind;
    ecp_vec3 y;
    ecp_vec3 size;
} ecp_generator;

/// Value, gradient and Hessian of one facet inequality at a point of the body frame.
typedef struct ecp_facet_value {
    ecp_real f;      ///< <= 0 inside, m near the surface
    ecp_vec3 g;      ///< gradient, about unit on the surface
    ecp_mat3 H;
} ecp_facet_value;

/// A shape at a pose: point y of the body frame is x + R y.
typedef struct ecp_posed {
    const ecp_shape *shape;
    ecp_mat3 R;
    ecp_vec3 x;
} ecp_posed;

int ecp_facet_count(const ecp_shape *shape);
/// Facet i in [0, count); planes in the order of the shape, the curved side first.
ecp_facet_value ecp_facet_eval(const ecp_shape *shape, int i, ecp_vec3 y);

int ecp_generator_count(const ecp_shape *shape);
ecp_generator ecp_generator_get(const ecp_shape *shape, int i);

/// Least direction.y over one generator and the point where it is taken (a flat disc: its centre).
ecp_real ecp_generator_support(ecp_generator g, ecp_vec3 direction, ecp_vec3 *where);

/// Least value of direction.y over the shape, and (may be NULL) the mean of the points where it is
/// taken, ties within tie counted.
ecp_real ecp_support(const ecp_shape *shape, ecp_vec3 direction, ecp_real tie, ecp_vec3 *where);

/// Largest distance of a point of the shape from the origin.
ecp_real ecp_shape_radius(const ecp_shape *shape);

#endif
