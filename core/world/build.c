#include "world/build.h"

// snap: start gaps below min(1e-7 h U, 1e-10 L) are leftovers of the last step, and so is what its
// rounding or a fallback leaves, however slow the body is; float 5e-6 L                      [G2]
static ecp_real snap_width(ecp_real tau)
{
    return ECP_REAL_BITS == 32 ? ECP_R(5e-6)
                               : ecp_max(ecp_min(ECP_R(1e-7) * tau, ECP_R(1e-10)), ECP_R(4e-12));
}

static ecp_state free_end(const ecp_case *c)
{
    ecp_state s = c->world->body[c->body].state;
    s.velocity = c->motion.v;
    s.angular_velocity = c->motion.w;
    return ecp_state_advanced(&s, c->scale.h);
}

ecp_world_plane ecp_case_end_plane(const ecp_case *c, int contact)
{
    const ecp_pair p = ecp_contact_pair(c->world, &c->world->contact[contact]);
    const ecp_body *plane = &c->world->body[p.plane];
    const ecp_state end = ecp_state_advanced(&plane->state, c->scale.h);
    return ecp_plane_at(plane->shape, &end);
}

ecp_real ecp_case_start_gap(const ecp_case *c, int contact)
{
    const ecp_pair p = ecp_contact_pair(c->world, &c->world->contact[contact]);
    const ecp_body *plane = &c->world->body[p.plane], *b = &c->world->body[c->body];
    return ecp_plane_gap(b->shape, &b->state, ecp_plane_at(plane->shape, &plane->state), NULL);
}

// psi_min of the model: depth shrinks by h v_rec a step                                    [C2]
static ecp_real target_of(const ecp_case *c, ecp_real gap)
{
    return ecp_min(ECP_R(0.0), gap + c->scale.h * c->recovery);
}

ecp_real ecp_case_gap_target(const ecp_case *c, int contact)
{
    const ecp_real gap = ecp_case_start_gap(c, contact);
    const ecp_real snap = snap_width(c->scale.h * c->scale.U / c->scale.L) * c->scale.L;
    return gap < -snap ? target_of(c, gap) : ECP_R(0.0);
}

static void set_scale(ecp_case *c)
{
    const ecp_body *b = &c->world->body[c->body];
    const ecp_real L = b->radius, h = c->scale.h;
    ecp_real U = ecp_v3_norm(c->motion.v) + L * ecp_v3_norm(c->motion.w);
    U = ecp_max(U, h * ecp_v3_norm(c->world->settings.gravity));
    U = ecp_max(U, ECP_R(1e-9) * L / h);
    for (int k = 0; k < c->world->contact_count; k++) {
        const ecp_pair p = ecp_contact_pair(c->world, &c->world->contact[k]);
        if (p.moving != c->body) {
            continue;
        }
        // speed of the half-space where the body is
        const ecp_state *s = &c->world->body[p.plane].state;
        const ecp_vec3 W = ecp_v3_sub(b->state.position, s->position);
        const ecp_vec3 v = ecp_v3_add(s->velocity, ecp_v3_cross(s->angular_velocity, W));
        U = ecp_max(U, ecp_v3_norm(v) + L * ecp_v3_norm(s->angular_velocity));
        // and the speed of recovery, where there is depth to recover
        const ecp_real depth = -ecp_case_start_gap(c, k);
        U = ecp_max(U, ecp_min(depth / h, c->world->settings.recovery_speed * L));
    }
    c->scale.L = L;
    c->scale.U = U;
    c->scale.m = b->mass;
}

bool ecp_case_open(ecp_case *c, ecp_world *world, int body, ecp_real h, bool first)
{
    *c = (ecp_case){ .world = world, .body = body, .scale = { .h = h }, .rim = true,
                     .carry = world->body[body].carry };
    if (!ecp_body_free_motion(&world->body[body], world->settings.gravity, h, first, &c->motion)) {
        return false;
    }
    set_scale(c);
    c->recovery = world->settings.recovery_speed * c->scale.L;
    const ecp_state end = free_end(c);
    for (int k = 0; k < world->contact_count; k++) {
        c->extra[k] = -1;
        if (ecp_contact_pair(world, &world->contact[k]).moving != body) {
            continue;
        }
        const ecp_real gap = ecp_plane_gap(world->body[body].shape, &end, ecp_case_end_plane(c, k), NULL);
        c->in[k] = gap < ECP_R(0.0) || ecp_case_start_gap(c, k) <= ECP_R(2.0) * h * c->scale.U;
        c->inside = c->inside || ecp_case_gap_target(c, k) < ECP_R(0.0);
        c->reached = c->reached || gap < ecp_case_gap_target(c, k);
    }
    return true;
}

// start data of one generator in nondimensional form
static ecp_point start_point(const ecp_case *c, const ecp_patch *p, const ecp_island *is,
                             int feature, ecp_real base)
{
    const ecp_generator g = ecp_generator_get(c->world->body[c->body].shape, feature);
    const ecp_real k = ECP_R(1.0) / c->scale.L;
    ecp_point q = { .kind = g.kind, .feature = feature };
    q.r_u = ecp_m3_mulv(&is->R_u, ecp_v3_scale(k, g.y));
    q.size = ecp_v3_scale(k, g.size);
    q.gap_u = base + ecp_v3_dot(p->n_u, q.r_u);
    for (int i = 0; i < 2; i++) {
        q.tilt_u[i] = q.size.x * ecp_v3_dot(p->n_u, ecp_m3_column(&is->R_u, i));
    }
    const ecp_real tilt = ecp_sqrt(q.tilt_u[0] * q.tilt_u[0] + q.tilt_u[1] * q.tilt_u[1]);
    if (g.kind == ECP_GEN_DISC && c->rim &&
        tilt > q.size.x * (ECP_R(0.3) + ECP_R(2.0) * is->tau * ecp_v3_norm(is->w_f))) {
        q.kind = ECP_GEN_ELLIPSOID;
    }
    ecp_real low = q.gap_u - (q.kind == ECP_GEN_DISC ? tilt : ECP_R(0.0));
    if (q.kind == ECP_GEN_ELLIPSOID) {
        q.q_u = ecp_v3_norm(ecp_v3_mul(q.size, ecp_m3_tmulv(&is->R_u, p->n_u)));
        q.gap_u -= q.q_u;
        low = q.gap_u;
    }
    const ecp_real eg = snap_width(is->tau);
    if (low < -eg) {
        q.snap = ecp_min(ECP_R(0.0), low + is->tau * c->recovery / c->scale.U);
    } else if (ecp_fabs(q.gap_u) <= eg && (q.kind != ECP_GEN_DISC || tilt <= eg)) {
        q.snap = (ECP_REAL_BITS == 32 ? ECP_R(0.95) : ECP_R(1.0)) * q.gap_u;
        q.tilt_u[0] = q.tilt_u[1] = q.kind == ECP_GEN_DISC ? ECP_R(0.0) : q.tilt_u[0];
    }
    return q;
}

static bool carried(const ecp_warm *w, int feature)
{
    for (int k = 0; k < ecp_warm_count(w); k++) {
        if (w->feature[k] / 4 == feature && w->lam[k] > ECP_R(0.0)) {
            return true;
        }
    }
    return false;
}

// rank of a generator: the smaller of its gaps at the start and at the free end
static ecp_real rank_of(const ecp_case *c, const ecp_island *is, ecp_patch *p, ecp_point *q)
{
    if (q->feature == c->extra[p->contact] ||
        carried(&c->world->contact[p->contact].warm, q->feature)) {
        return -ECP_REAL_MAX;
    }
    const ecp_vec3 u = ecp_v3_scale(ECP_R(0.5) * is->tau, is->w_f);
    const ecp_vec3 move = ecp_v3_axpy(ecp_cayley_increment(u, q->r_u), is->tau, ecp_v3_sub(is->v_f, p->v_R));
    return ecp_min(q->gap_u, q->gap_u + ecp_v3_dot(p->n_u, move));
}

static void choose_points(const ecp_case *c, const ecp_island *is, ecp_patch *p, ecp_real base)
{
    const int count = ecp_generator_count(c->world->body[c->body].shape);
    ecp_real rank[ECP_MAX_GENERATORS];
    p->point_count = 0;
    for (int f = 0; f < count; f++) {
        ecp_point q = start_point(c, p, is, f, base);
        const ecp_real r = rank_of(c, is, p, &q);
        int at = p->point_count;
        if (at == ECP_MAX_GENERATORS) {
            at = 0;
            for (int k = 1; k < ECP_MAX_GENERATORS; k++) {
                at = rank[k] > rank[at] ? k : at;
            }
            if (!(r < rank[at])) {
                continue;
            }
        } else {
            p->point_count++;
        }
        p->point[at] = q;
        rank[at] = r;
    }
}

static void build_patch(const ecp_case *c, int contact, const ecp_island *is, ecp_patch *p)
{
    const ecp_world *w = c->world;
    const ecp_contact *k = &w->contact[contact];
    const ecp_pair pair = ecp_contact_pair(w, k);
    const ecp_body *plane = &w->body[pair.plane], *b = &w->body[c->body];
    const ecp_real inv_L = ECP_R(1.0) / c->scale.L, inv_U = ECP_R(1.0) / c->scale.U;
    const ecp_world_plane start = ecp_plane_at(plane->shape, &plane->state);
    const ecp_state end = ecp_state_advanced(&plane->state, c->scale.h);
    p->contact = contact;
    p->n_u = start.n;
    p->n = ecp_plane_at(plane->shape, &end).n;
    // frame by the contract's normal, from B to A; B's pose at the end where it is prescribed
    p->t = ecp_contact_tangent(k, p->n, p->n_u, pair.swapped ? b->state.orientation : end.orientation);
    p->o = ecp_v3_cross(p->n, p->t);
    p->v_R = ecp_v3_scale(inv_U, plane->state.velocity);
    p->w_R = ecp_v3_scale(c->scale.L * inv_U, plane->state.angular_velocity);
    p->W0 = ecp_v3_scale(inv_L, ecp_v3_sub(b->state.position, plane->state.position));
    p->mu = k->mu;
    p->e[0] = k->e[0];
    p->e[1] = k->e[1];
    p->e[2] = k->e[2] * inv_L;
    choose_points(c, is, p, ecp_v3_dot(p->n_u, p->W0) - plane->shape->offset * inv_L);
}

void ecp_case_build(const ecp_case *c, ecp_island *is)
{
    const ecp_scale s = c->scale;
    const ecp_real tol = c->world->settings.tolerance;
    is->tau = s.h * s.U / s.L;
    is->v_f = ecp_v3_scale(ECP_R(1.0) / s.U, c->motion.v);
    is->w_f = ecp_v3_scale(s.L / s.U, c->motion.w);
    is->minv = ecp_v3_scale(s.m, c->motion.minv);
    is->R_u = ecp_quat_matrix(c->world->body[c->body].state.orientation);
    for (int i = 0; i < 9; i++) {
        is->Iinv.m[i / 3][i % 3] = s.m * s.L * s.L * c->motion.Iinv.m[i / 3][i % 3];
    }
    is->tolerance = tol;
    is->gap_tolerance = ecp_max(tol, ECP_R(32.0) * ECP_REAL_EPS / is->tau);
    is->smoothing = 0;
    is->rates = false;
    is->patch_count = 0;
    for (int k = 0; k < c->world->contact_count; k++) {
        if (c->in[k]) {
            build_patch(c, k, is, &is->patch[is->patch_count++]);
        }
    }
    ecp_island_prepare(is);
}
