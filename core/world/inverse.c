// inverse.c - the ECP and the wrench from two states.                                      [I1]
//
//   A = m (v' - v_f) = P              B = I_u (w' - w_f) = r x P + pr n
//   pn = A.n, pt = A.t, po = A.o      pr = B.A/(n.A)
//   r = A x (B - pr n)/|A|^2 + s A,   s from n.(x' + r) = level of the touching plane
#include "world/body.h"
#include "world/geometry.h"

// rounding of A over m U
#define NOISE (ECP_R(16.0) * ECP_REAL_EPS)
// impulse over m U below which nothing presses, as in a report
#define OPEN ecp_max(ECP_R(1e-9), NOISE)

typedef struct inverse {
    const ecp_contact *contact;
    ecp_pair pair;
    ecp_body body;            // the moving one, at the start of the step
    const ecp_body *other;
    ecp_state after;
    ecp_free_motion free;
    ecp_world_plane plane;    // at the end of the step
    ecp_vec3 A, B, o;
    ecp_real momentum;        // m U, N s
} inverse;

// finite and of unit length to 1e-3; normalises
static bool state_ok(ecp_state *s)
{
    const ecp_real n = ecp_quat_norm(s->orientation);
    s->orientation = ecp_quat_normalised(s->orientation);
    return ecp_v3_finite(s->position) && ecp_v3_finite(s->velocity) &&
           ecp_v3_finite(s->angular_velocity) && ecp_fabs(n - ECP_R(1.0)) <= ECP_R(1e-3);
}

// NULL: the query can be answered; otherwise what is wrong with it
static const char *query_fault(const ecp_world *w, const ecp_motion *q)
{
    if (q->contact < 0 || q->contact >= w->contact_count) {
        return "unknown contact id";
    }
    const ecp_contact *c = &w->contact[q->contact];
    const ecp_body *a = &w->body[c->a], *b = &w->body[c->b];
    if ((a->shape->kind == ECP_SHAPE_HALFSPACE) == (b->shape->kind == ECP_SHAPE_HALFSPACE)) {
        return "one body of the contact must be a half-space";
    }
    if (a->lock != 0 || b->lock != 0) {
        return "a body with locked axes: what holds them is unknown";
    }
    if (!(q->h > ECP_R(0.0)) || !ecp_finite(q->h) || !(q->slack >= ECP_R(0.0)) ||
        !ecp_finite(q->slack)) {
        return "h must be positive and finite, slack not negative and finite";
    }
    return ecp_v3_finite(q->impulse) && ecp_v3_finite(q->angular_impulse)
               ? NULL : "impulses must be finite";
}

// v_f and w_f of the step with the loads of the query
static const char *open_query(inverse *v, const ecp_world *w, const ecp_motion *q)
{
    v->contact = &w->contact[q->contact];
    v->pair = ecp_contact_pair(w, v->contact);
    v->other = &w->body[v->pair.plane];
    v->body = w->body[v->pair.moving];
    v->body.state = q->before;
    v->body.force = v->body.torque = ecp_v3(0, 0, 0);
    v->body.impulse = q->impulse;
    v->body.angular_impulse = q->angular_impulse;
    v->after = q->after;
    if (!state_ok(&v->body.state) || !state_ok(&v->after)) {
        return "states must be finite, their quaternions of unit length";
    }
    if (!ecp_body_free_motion(&v->body, w->settings.gravity, q->h, true, &v->free) ||
        q->h * ecp_v3_norm(v->free.w) > ECP_R(0.5)) {
        return "the body spins too fast for one step of h";
    }
    v->plane = ecp_plane_at(v->other->shape, &v->other->state);
    return NULL;
}

// contact frame with the normal of the half-space, as the step has it
static void make_frame(inverse *v, ecp_real h, ecp_inverse_result *r)
{
    const ecp_state start = ecp_state_advanced(&v->other->state, -h);
    const ecp_vec3 n_u = ecp_plane_at(v->other->shape, &start).n;
    r->n = v->plane.n;
    r->t = ecp_contact_tangent(v->contact, r->n, n_u,
                               v->pair.swapped ? v->body.state.orientation : v->other->state.orientation);
    v->o = ecp_v3_cross(r->n, r->t);
    r->gap = ecp_plane_gap(v->body.shape, &v->after, v->plane, &r->a);
}

static void find_impulses(inverse *v, const ecp_vec3 gravity, ecp_real h)
{
    const ecp_mat3 Ib = ecp_m3_symmetric(v->body.inertia);
    const ecp_mat3 R = ecp_quat_matrix(v->body.state.orientation);
    const ecp_mat3 I = ecp_m3_congruence(&R, &Ib);
    v->A = ecp_v3_scale(v->body.mass, ecp_v3_sub(v->after.velocity, v->free.v));
    v->B = ecp_m3_mulv(&I, ecp_v3_sub(v->after.angular_velocity, v->free.w));
    const ecp_real U = ecp_max(h * ecp_v3_norm(gravity), ecp_v3_norm(v->free.v) +
                               v->body.radius * ecp_v3_norm(v->free.w));
    v->momentum = v->body.mass * U;
}

// slip at the ECP with the friction weights
static ecp_real slip_speed(const inverse *v, const ecp_inverse_result *r)
{
    const ecp_state *x = &v->after, *y = &v->other->state;
    const ecp_real *e = v->contact->e;
    const ecp_vec3 vx = ecp_v3_add(x->velocity, ecp_v3_cross(x->angular_velocity,
                                                             ecp_v3_sub(r->a, x->position)));
    const ecp_vec3 vy = ecp_v3_add(y->velocity, ecp_v3_cross(y->angular_velocity,
                                                             ecp_v3_sub(r->a, y->position)));
    const ecp_vec3 vc = ecp_v3_sub(vx, vy);
    return ecp_v3_norm(ecp_v3(e[0] * ecp_v3_dot(r->t, vc), e[1] * ecp_v3_dot(v->o, vc),
                              e[2] * ecp_v3_dot(r->n, ecp_v3_sub(x->angular_velocity,
                                                                 y->angular_velocity))));
}

static void find_wrench(const inverse *v, ecp_inverse_result *r)
{
    const ecp_vec3 A = v->A, n = r->n;
    const ecp_real *e = v->contact->e, An = ecp_v3_dot(A, n);
    r->pn = An;
    r->pt = ecp_v3_dot(A, r->t);
    r->po = ecp_v3_dot(A, v->o);
    r->pr = ecp_v3_dot(v->B, A) / An;
    const ecp_vec3 C = ecp_v3_axpy(v->B, -r->pr, n);
    const ecp_vec3 p = ecp_v3_scale(ECP_R(1.0) / ecp_v3_dot(A, A), ecp_v3_cross(A, C));
    const ecp_real low = v->plane.d + r->gap - ecp_v3_dot(n, v->after.position);
    r->a = ecp_v3_add(v->after.position, ecp_v3_axpy(p, (low - ecp_v3_dot(n, p)) / An, A));
    r->sigma = slip_speed(v, r);
    r->mu = ecp_v3_norm(ecp_v3(r->pt / e[0], r->po / e[1],
                               e[2] > ECP_R(0.0) ? r->pr / e[2] : 0)) / An;
}

// NULL: a body in contact moves like this
static const char *motion_fault(const inverse *v, const ecp_motion *q, ecp_real step_tolerance,
                                const ecp_inverse_result *r)
{
    const ecp_shape *shape = v->body.shape;
    const ecp_real L = v->body.radius, noise = NOISE * v->momentum;
    const ecp_real near = ecp_max(ECP_TOUCHING * L, q->slack);
    // and what rounding of A and B, and the tolerance of the step, can move the ECP by
    ecp_real tol = ECP_R(10.0) * near + (noise + step_tolerance * v->momentum) / r->pn * L;
    if (r->gap > near) {
        return "the shapes do not touch at the end of the step";
    }
    if (!(v->contact->e[2] > ECP_R(0.0)) &&
        ecp_fabs(r->pr) > ECP_R(1e-6) * r->pn * L + noise * L + r->pn * q->slack) {
        return "a moment about the normal although e_r is 0";
    }
    // a body that recovers from depth presses anywhere between its deepest point and the plane
    tol += ecp_max(-r->gap, ECP_R(0.0)) * ecp_v3_norm(v->A) / r->pn;
    if (shape->kind == ECP_SHAPE_CONE) {
        tol += ECP_CONE_ROUNDING * shape->size.x;
    }
    const ecp_mat3 R = ecp_quat_matrix(v->after.orientation);
    const ecp_vec3 y = ecp_m3_tmulv(&R, ecp_v3_sub(r->a, v->after.position));
    for (int i = 0; i < ecp_facet_count(shape); i++) {
        if (ecp_facet_eval(shape, i, y).f > tol) {
            return "the contact point is no point of the body";
        }
    }
    return NULL;
}

// body A is the half-space: its point, n reversed, o = n x t reversed, the opposite force
static void swap_bodies(const inverse *v, ecp_inverse_result *r)
{
    r->a = ecp_v3_axpy(r->a, -(ecp_v3_dot(r->n, r->a) - v->plane.d), r->n);
    r->n = ecp_v3_scale(ECP_R(-1.0), r->n);
    r->pt = -r->pt;
}

ecp_status ecp_inverse(const ecp_world *world, const ecp_motion *motion, ecp_inverse_result *result)
{
    if (world == NULL || motion == NULL || result == NULL) {
        return ECP_E_ARG;
    }
    inverse v;
    *result = (ecp_inverse_result){ .why = query_fault(world, motion) };
    if (result->why != NULL) {
        return ECP_E_ARG;
    }
    result->why = open_query(&v, world, motion);
    if (result->why != NULL) {
        return ECP_E_STATE;
    }
    make_frame(&v, motion->h, result);
    find_impulses(&v, world->settings.gravity, motion->h);
    const char *fault = "nothing presses the body against the half-space";
    if (ecp_v3_dot(v.A, result->n) > OPEN * v.momentum) {
        find_wrench(&v, result);
        fault = motion_fault(&v, motion, world->settings.tolerance, result);
    }
    result->contact = fault == NULL;
    result->why = fault != NULL ? fault : "";
    if (v.pair.swapped) {
        swap_bodies(&v, result);
    }
    return ECP_OK;
}
