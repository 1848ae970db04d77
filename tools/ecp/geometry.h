// geometry.h - shapes against planes in double, written for checking: none of it is the library's.
#ifndef ECP_TOOL_GEOMETRY_H
#define ECP_TOOL_GEOMETRY_H

#include "ecp.h"

typedef struct vec {
    double x, y, z;
} vec;

static inline vec vec_of(double x, double y, double z) { return (vec){ x, y, z }; }
static inline vec vec_from(ecp_vec3 a) { return (vec){ (double)a.x, (double)a.y, (double)a.z }; }
static inline ecp_vec3 vec_to(vec a) { return (ecp_vec3){ (ecp_real)a.x, (ecp_real)a.y, (ecp_real)a.z }; }
static inline vec vec_add(vec a, vec b) { return (vec){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static inline vec vec_sub(vec a, vec b) { return (vec){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline vec vec_scale(double k, vec a) { return (vec){ k * a.x, k * a.y, k * a.z }; }
static inline double vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec vec_cross(vec a, vec b)
{
    return (vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
double vec_norm(vec a);
vec vec_unit(vec a);

/// Rotate a from the body to the world frame (q normalised on the fly), and back.
vec turn(ecp_quat q, vec a);
vec turn_back(ecp_quat q, vec a);
/// Rotation that takes unit vector a to unit vector b.
ecp_quat turn_between(vec a, vec b);
ecp_quat turn_product(ecp_quat a, ecp_quat b);

/// Largest distance of a point of the shape from the origin.
double shape_reach(const ecp_shape *shape);
/// Least d.y over the shape, body frame.
double shape_low(const ecp_shape *shape, vec d);
/// How far a body-frame point is outside the shape (<= 0: inside); a length, not always the distance.
double shape_outside(const ecp_shape *shape, vec y);
/// Signed distance of a body at (x, q) from the half-space n.p >= offset.
double shape_gap(const ecp_shape *shape, vec x, ecp_quat q, vec n, double offset);

#endif
