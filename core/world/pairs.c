// pairs.c - the reference face of a pair: the face whose normal is nearest to that of the closest points.
#include "world/pairs.h"

#include "shape/closest.h"

// cosine by which another face must be nearer before the face of the last step is left
#define KEEP ECP_R(0.05)
// faces this near to being as near are equal
#define EQUAL ECP_R(1e-6)

static bool is_polytope(const ecp_shape *s)
{
    return s->kind == ECP_SHAPE_BOX || s->kind == ECP_SHAPE_POLYTOPE;
}

static bool is_sphere(const ecp_shape *s)
{
    const ecp_vec3 r = s->size;
    return s->kind == ECP_SHAPE_ELLIPSOID && !(r.x < r.y) && !(r.x > r.y) && !(r.y < r.z) && !(r.y > r.z);
}

const char *ecp_pair_refusal(const ecp_shape *a, const ecp_shape *b)
{
    const bool flat = a->kind == ECP_SHAPE_HALFSPACE || b->kind == ECP_SHAPE_HALFSPACE;
    if (!ECP_WITH_PAIRS && !flat) {
        return "contact between bounded bodies is switched off (ECP_WITH_PAIRS): one must be a half-space";
    }
    if (flat || is_polytope(a) || is_polytope(b) || (is_sphere(a) && is_sphere(b))) {
        return NULL;
    }
    return "two curved bodies can touch only if both are spheres in this version: one must be a box, "
           "hull or half-space";
}

ecp_real ecp_pair_bound(const ecp_body *a, const ecp_state *sa, const ecp_body *b, const ecp_state *sb)
{
    return ecp_v3_norm(ecp_v3_sub(sa->position, sb->position)) - a->radius - b->radius;
}

// the face of a polytope whose outward normal is nearest to n
static int nearest_face(const ecp_body *b, ecp_vec3 n, ecp_real *cosine)
{
    const ecp_mat3 R = ecp_quat_matrix(b->state.orientation);
    const ecp_vec3 n_b = ecp_m3_tmulv(&R, n);
    const ecp_vec3 origin = { 0, 0, 0 };
    int best = 0;
    *cosine = ECP_R(-2.0);
    for (int i = 0; i < ecp_facet_count(b->shape); i++) {
        const ecp_real c = ecp_v3_dot(n_b, ecp_facet_eval(b->shape, i, origin).g);
        if (c > *cosine) {
            *cosine = c;
            best = i;
        }
    }
    return best;
}

bool ecp_pair_turn(const ecp_world *w, const ecp_state *R, ecp_vec3 N, ecp_touch *t)
{
    const ecp_body b = { .shape = w->body[t->R].shape, .state = *R };
    ecp_real cosine;
    const int facet = t->facet >= 0 && !ecp_touch_flat(t) ? nearest_face(&b, N, &cosine) : t->facet;
    const bool turned = facet != t->facet;
    if (turned) {
        t->facet = facet;
        t->n = N;
    }
    return turned;
}

// how near the face of the last step is, or less than any when there is none
static ecp_real last_face(const ecp_warm *w, const ecp_body *a, const ecp_body *b, ecp_vec3 n)
{
    const ecp_body *R = w->incident == 1 ? b : a;
    if (w->count <= 0 || (w->incident != 1 && w->incident != 2) || w->facet < 0 ||
        !is_polytope(R->shape) || w->facet >= ecp_facet_count(R->shape)) {
        return ECP_R(-3.0);
    }
    const ecp_mat3 M = ecp_quat_matrix(R->state.orientation);
    const ecp_vec3 g = ecp_m3_mulv(&M, ecp_facet_eval(R->shape, w->facet, ecp_v3(0, 0, 0)).g);
    return w->incident == 1 ? ecp_v3_dot(g, n) : -ecp_v3_dot(g, n);
}

// roles: true when body A is the reference
static bool first_is_reference(const ecp_body *a, const ecp_body *b, ecp_real cos_a, ecp_real cos_b)
{
    if (!is_polytope(a->shape) || !is_polytope(b->shape)) {
        return is_polytope(a->shape);
    }
    if (ecp_fabs(cos_a - cos_b) > EQUAL) {
        return cos_a > cos_b;
    }
    // equally good: what does not move, then the larger one, then B
    if ((a->kind == ECP_DYNAMIC) != (b->kind == ECP_DYNAMIC)) {
        return a->kind != ECP_DYNAMIC;
    }
    return a->radius > b->radius * (ECP_R(1.0) + EQUAL);
}

void ecp_pair_choose(const ecp_world *w, int k, ecp_vec3 n, bool keep, ecp_touch *t)
{
    const ecp_contact *c = &w->contact[k];
    const ecp_body *a = &w->body[c->a], *b = &w->body[c->b];
    ecp_real cos_a = ECP_R(-2.0), cos_b = ECP_R(-2.0);
    const int face_a = is_polytope(a->shape) ? nearest_face(a, ecp_v3_scale(ECP_R(-1.0), n), &cos_a) : -1;
    const int face_b = is_polytope(b->shape) ? nearest_face(b, n, &cos_b) : -1;
    bool first = first_is_reference(a, b, cos_a, cos_b);
    int facet = first ? face_a : face_b;
    if (keep && last_face(&c->warm, a, b, n) >= ecp_max(cos_a, cos_b) - KEEP) {
        first = c->warm.incident == 2;
        facet = c->warm.facet;
    }
    t->I = first ? c->b : c->a;
    t->R = first ? c->a : c->b;
    t->facet = facet;
    t->n = first ? ecp_v3_scale(ECP_R(-1.0), n) : n;
}

static void open_half_space(const ecp_world *w, int k, ecp_touch *t)
{
    const ecp_pair p = ecp_contact_pair(w, &w->contact[k]);
    const ecp_body *b = &w->body[p.moving], *plane = &w->body[p.plane];
    const ecp_world_plane at = ecp_plane_at(plane->shape, &plane->state);
    t->half_space = true;
    t->I = p.moving;
    t->R = p.plane;
    t->facet = 0;
    t->n = t->n_u = at.n;
    t->gap = ecp_plane_gap(b->shape, &b->state, at, NULL);
}

void ecp_pair_open(const ecp_world *w, int k, ecp_real reach, ecp_touch *t)
{
    const ecp_contact *c = &w->contact[k];
    const ecp_body *a = &w->body[c->a], *b = &w->body[c->b];
    *t = (ecp_touch){ .extra = -1, .extra_side = -1 };
    if (ecp_contact_flat(w, c)) {
        open_half_space(w, k, t);
        return;
    }
    t->gap = ecp_pair_bound(a, &a->state, b, &b->state);
    if (t->gap > reach) {
        const ecp_vec3 d = ecp_v3_sub(a->state.position, b->state.position);
        t->at = a->state.position;
        ecp_pair_choose(w, k, ecp_v3_scale(ECP_R(1.0) / ecp_v3_norm(d), d), true, t);
        t->n_u = t->n;
        return;
    }
    const ecp_posed A = ecp_posed_at(a->shape, &a->state), B = ecp_posed_at(b->shape, &b->state);
    const ecp_closest_points p = ecp_closest(&A, &B);
    t->gap = p.gap;
    t->at = p.a;
    ecp_pair_choose(w, k, p.n, true, t);
    t->n_u = t->n;
}

ecp_real ecp_pair_gap_along(const ecp_touch *t, const ecp_world *w, const ecp_state *I, const ecp_state *R,
                            ecp_vec3 n)
{
    const ecp_mat3 RI = ecp_quat_matrix(I->orientation), RR = ecp_quat_matrix(R->orientation);
    const ecp_vec3 back = ecp_v3_scale(ECP_R(-1.0), n);
    return ecp_v3_dot(n, ecp_v3_sub(I->position, R->position)) +
           ecp_support(w->body[t->I].shape, ecp_m3_tmulv(&RI, n), 0, NULL) +
           ecp_support(w->body[t->R].shape, ecp_m3_tmulv(&RR, back), 0, NULL);
}

// planes i and j share an edge: two vertices lie on both
static bool share_edge(const ecp_shape *s, int i, int j, ecp_real tol)
{
    int both = 0;
    for (int v = 0; v < ecp_generator_count(s) && both < 2; v++) {
        const ecp_vec3 y = ecp_generator_get(s, v).y;
        both += ecp_fabs(ecp_facet_eval(s, i, y).f) <= tol && ecp_fabs(ecp_facet_eval(s, j, y).f) <= tol;
    }
    return both >= 2;
}

int ecp_pair_sides(const ecp_shape *s, int facet, int16_t *side, int max)
{
    const ecp_real tol = (ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-8)) * ecp_shape_radius(s);
    int n = 0;
    for (int j = 0; j < ecp_facet_count(s); j++) {
        const bool box = s->kind == ECP_SHAPE_BOX;
        if (j != facet && n < max && (box ? j / 2 != facet / 2 : share_edge(s, facet, j, tol))) {
            side[n++] = (int16_t)j;
        }
    }
    return n;
}

ecp_real ecp_inner_radius(const ecp_shape *s)
{
    const ecp_vec3 r = s->size;
    if (s->kind == ECP_SHAPE_CONE) {
        const ecp_real slant = ecp_sqrt(r.x * r.x + r.z * r.z);
        return ecp_min(ECP_R(0.25) * r.z, ECP_R(0.75) * r.z * r.x / slant);
    }
    if (s->kind != ECP_SHAPE_POLYTOPE) {
        return ecp_min(r.x, ecp_min(r.y, r.z));
    }
    ecp_real least = ECP_REAL_MAX;
    for (int i = 0; i < s->plane_count; i++) {
        least = ecp_min(least, s->planes[i].d);
    }
    return least;
}

// velocity of the point of a body, in its free motion
static ecp_vec3 velocity_at(const ecp_world *w, int i, ecp_real h, ecp_vec3 at)
{
    const ecp_body *b = &w->body[i];
    ecp_vec3 v = b->state.velocity, spin = b->state.angular_velocity;
    ecp_free_motion f;
    if (b->kind == ECP_DYNAMIC && ecp_body_free_motion(b, w->settings.gravity, h, true, &f)) {
        v = f.v;
        spin = f.w;
    }
    return ecp_v3_add(v, ecp_v3_cross(spin, ecp_v3_sub(at, b->state.position)));
}

ecp_real ecp_pair_speed(const ecp_world *w, int k, ecp_real h)
{
    const ecp_contact *c = &w->contact[k];
    const ecp_body *a = &w->body[c->a], *b = &w->body[c->b];
    const ecp_posed A = ecp_posed_at(a->shape, &a->state), B = ecp_posed_at(b->shape, &b->state);
    const ecp_closest_points p = ecp_closest(&A, &B);
    const ecp_vec3 v = ecp_v3_sub(velocity_at(w, c->b, h, p.b), velocity_at(w, c->a, h, p.a));
    return ecp_max(ECP_R(0.0), ecp_v3_dot(p.n, v));
}
