#include "world/geometry.h"

#include "shape/touching.h"

ecp_pair ecp_contact_pair(const ecp_world *world, const ecp_contact *contact)
{
    const bool swapped = world->body[contact->a].shape->kind == ECP_SHAPE_HALFSPACE;
    return (ecp_pair){ swapped ? contact->b : contact->a, swapped ? contact->a : contact->b, swapped };
}

ecp_world_plane ecp_plane_at(const ecp_shape *shape, const ecp_state *state)
{
    const ecp_mat3 R = ecp_quat_matrix(state->orientation);
    const ecp_vec3 n = ecp_m3_mulv(&R, shape->size);
    return (ecp_world_plane){ n, shape->offset + ecp_v3_dot(n, state->position) };
}

ecp_state ecp_state_advanced(const ecp_state *state, ecp_real h)
{
    ecp_state s = *state;
    s.position = ecp_v3_axpy(s.position, h, s.velocity);
    s.orientation = ecp_quat_cayley_step(s.orientation,
                                         ecp_v3_scale(ECP_R(0.5) * h, s.angular_velocity));
    return s;
}

// vertices this many radii above the lowest count as lowest: the closest point is their mean
#define TIE (ECP_REAL_BITS == 32 ? ECP_R(1e-6) : ECP_R(1e-9))

ecp_real ecp_plane_gap(const ecp_shape *shape, const ecp_state *state, ecp_world_plane plane,
                       ecp_vec3 *where)
{
    const ecp_mat3 R = ecp_quat_matrix(state->orientation);
    ecp_vec3 y;
    const ecp_real tie = where ? TIE * ecp_shape_radius(shape) : ECP_R(0.0);
    const ecp_real low = ecp_support(shape, ecp_m3_tmulv(&R, plane.n), tie, where ? &y : NULL);
    if (where != NULL) {
        *where = ecp_v3_add(state->position, ecp_m3_mulv(&R, y));
    }
    return ecp_v3_dot(plane.n, state->position) - plane.d + low;
}

// world axis least aligned with n; components within 1e-6 tie, x before y before z
static ecp_vec3 least_aligned(ecp_vec3 n)
{
    const ecp_real x = ecp_fabs(n.x), y = ecp_fabs(n.y), z = ecp_fabs(n.z), tie = ECP_R(1e-6);
    const ecp_real least = ecp_min(x, ecp_min(y, z)) + tie;
    if (x <= least) {
        return ecp_v3(1, 0, 0);
    }
    return y <= least ? ecp_v3(0, 1, 0) : ecp_v3(0, 0, 1);
}

ecp_posed ecp_posed_at(const ecp_shape *shape, const ecp_state *state)
{
    return (ecp_posed){ shape, ecp_quat_matrix(state->orientation), state->position };
}

ecp_vec3 ecp_contact_axis(const ecp_contact *contact, ecp_vec3 n, ecp_vec3 n_u, ecp_quat B)
{
    const ecp_vec3 e = least_aligned(n_u);
    if (ecp_v3_dot(contact->axis, contact->axis) > ECP_R(0.0)) {
        const ecp_mat3 R = ecp_quat_matrix(B);
        const ecp_vec3 axis = ecp_m3_mulv(&R, contact->axis);
        const ecp_vec3 t = ecp_v3_axpy(axis, -ecp_v3_dot(n, axis), n);
        // an axis along the normal gives no direction: keep the world axis
        return ecp_v3_norm(t) > ECP_R(1e-6) * ecp_v3_norm(axis)
                   ? ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(axis), axis) : e;
    }
    return e;
}

ecp_vec3 ecp_contact_tangent(const ecp_contact *contact, ecp_vec3 n, ecp_vec3 n_u, ecp_quat B)
{
    const ecp_vec3 e = ecp_contact_axis(contact, n, n_u, B);
    const ecp_vec3 t = ecp_v3_axpy(e, -ecp_v3_dot(n, e), n);
    return ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(t), t);
}

int ecp_touching_set(const ecp_shape *shape, const ecp_state *state, ecp_world_plane plane,
                     ecp_real tol, ecp_vec3 a, ecp_real *edge, int *facets)
{
    const ecp_posed posed = { shape, ecp_quat_matrix(state->orientation), state->position };
    return ecp_plane_touching(&posed, plane.n, plane.d, tol, a, edge, facets);
}
