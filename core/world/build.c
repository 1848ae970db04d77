#include "world/build.h"

#include "world/pairs.h"

// snap: start gaps below min(1e-7 h U, 1e-10 L) are leftovers of the last step, and so is what its
// rounding or a fallback leaves, however slow the body is; float 5e-6 L                      [G2]
static ecp_real snap_width(ecp_real tau)
{
    return ECP_REAL_BITS == 32 ? ECP_R(5e-6)
                               : ecp_max(ecp_min(ECP_R(1e-7) * tau, ECP_R(1e-10)), ECP_R(4e-12));
}

ecp_real ecp_case_radius(const ecp_substep *sub, int contact)
{
    const ecp_touch *t = &sub->touch[contact];
    const ecp_body *I = &sub->world->body[t->I], *R = &sub->world->body[t->R];
    if (I->kind != ECP_DYNAMIC) {
        return R->radius;
    }
    return R->kind == ECP_DYNAMIC ? ecp_min(I->radius, R->radius) : I->radius;
}

// speed at which the depth of a contact is to shrink, m/s
static ecp_real recovery_of(const ecp_case *c, int contact)
{
    const ecp_real speed = c->sub->world->settings.recovery_speed;
    return c->hold || c->loose ? ECP_R(0.0) : speed * ecp_case_radius(c->sub, contact);
}

// psi_min of the model: depth shrinks by h v_rec a step                                    [C2]
ecp_real ecp_case_gap_target(const ecp_case *c, int contact)
{
    const ecp_real gap = c->sub->touch[contact].gap;
    const ecp_real snap = snap_width(c->scale.h * c->scale.U / c->scale.L) * c->scale.L;
    return gap < -snap ? ecp_min(ECP_R(0.0), gap + c->scale.h * recovery_of(c, contact)) : ECP_R(0.0);
}

bool ecp_case_of(const ecp_case *c, int contact)
{
    const ecp_touch *t = &c->sub->touch[contact];
    return c->sub->root[t->I] == c->root || c->sub->root[t->R] == c->root;
}

bool ecp_case_in(const ecp_case *c, int contact)
{
    return c->sub->touch[contact].in && ecp_case_of(c, contact);
}

// speed of the parts of a contact's bodies where they are near one another: of the prescribed one
static ecp_real prescribed_speed(const ecp_case *c, const ecp_touch *t)
{
    const ecp_world *w = c->sub->world;
    const bool moves = w->body[t->I].kind == ECP_DYNAMIC;
    const ecp_state *s = &w->body[moves ? t->R : t->I].state;
    if (w->body[t->I].kind == w->body[t->R].kind) {
        return 0;
    }
    const ecp_vec3 W = ecp_v3_sub(w->body[moves ? t->I : t->R].state.position, s->position);
    const ecp_vec3 v = ecp_v3_add(s->velocity, ecp_v3_cross(s->angular_velocity, W));
    return ecp_v3_norm(v) + c->scale.L * ecp_v3_norm(s->angular_velocity);
}

static void set_scale(ecp_case *c)
{
    const ecp_world *w = c->sub->world;
    ecp_real L = 0, m = 0, U = 0;
    const ecp_real h = c->scale.h;
    for (int i = 0; i < w->body_count; i++) {
        if (c->sub->root[i] == c->root) {
            L = ecp_max(L, w->body[i].radius);
            m = ecp_max(m, w->body[i].mass);
        }
    }
    c->scale.L = L;
    c->scale.m = m;
    for (int i = 0; i < w->body_count; i++) {
        const ecp_free_motion *f = &c->sub->motion[i];
        if (c->sub->root[i] == c->root) {
            U = ecp_max(U, ecp_v3_norm(f->v) + L * ecp_v3_norm(f->w));
        }
    }
    U = ecp_max(U, h * ecp_v3_norm(w->settings.gravity));
    U = ecp_max(U, ECP_R(1e-9) * L / h);
    for (int k = 0; k < w->contact_count; k++) {
        const ecp_touch *t = &c->sub->touch[k];
        if (!ecp_case_of(c, k) || (!ecp_touch_flat(t) && !t->in)) {
            continue;
        }
        U = ecp_max(U, prescribed_speed(c, t));
        // and the speed of recovery, where there is depth to recover
        U = ecp_max(U, ecp_min(-t->gap / h, w->settings.recovery_speed * ecp_case_radius(c->sub, k)));
    }
    c->scale.U = U;
}

void ecp_case_open(ecp_case *c, ecp_substep *sub, int root)
{
    *c = (ecp_case){ .sub = sub, .root = root, .scale = { .h = sub->h }, .rim = true };
    set_scale(c);
    const ecp_world *w = sub->world;
    for (int k = 0; k < w->contact_count; k++) {
        if (!ecp_case_in(c, k)) {
            continue;
        }
        const ecp_touch *t = &sub->touch[k];
        const ecp_real target = ecp_case_gap_target(c, k);
        c->inside = c->inside || target < ECP_R(0.0);
        if (ecp_touch_flat(t)) {
            const ecp_world_plane plane = ecp_plane_at(w->body[t->R].shape, &sub->end[t->R]);
            c->reached = c->reached || ecp_plane_gap(w->body[t->I].shape, &sub->end[t->I], plane, NULL) < target;
        } else {
            // along the normal of the start: less than the true gap, so nothing is missed
            c->reached = c->reached || ecp_pair_gap_along(t, w, &sub->end[t->I], &sub->end[t->R], t->n) < target;
        }
    }
}

// start data of one generator in nondimensional form; gap to the face
static ecp_point start_point(const ecp_case *c, const ecp_patch *p, const ecp_island *is, int feature,
                             ecp_real base, ecp_curve *v)
{
    const ecp_island_body *I = &is->body[p->I];
    const ecp_generator g = ecp_generator_get(c->sub->world->body[I->world].shape, feature);
    const ecp_real k = ECP_R(1.0) / c->scale.L;
    ecp_point q = { .kind = (uint8_t)g.kind, .feature = (int16_t)feature };
    q.r_u = ecp_m3_mulv(&I->R_u, ecp_v3_scale(k, g.y));
    *v = (ecp_curve){ .size = ecp_v3_scale(k, g.size) };
    q.gap_u = ecp_patch_round(p) ? base : base + ecp_v3_dot(p->n_u, q.r_u);
    for (int i = 0; i < 2; i++) {
        v->tilt_u[i] = v->size.x * ecp_v3_dot(p->n_u, ecp_m3_column(&I->R_u, i));
    }
    // tilted against the normal of the contact, not of the face: over an edge they differ
    const ecp_vec3 n = ecp_m3_tmulv(&I->R_u, c->sub->touch[p->contact].n);
    const ecp_real tilt = v->size.x * ecp_sqrt(n.x * n.x + n.y * n.y);
    if (g.kind == ECP_GEN_DISC && c->rim &&
        tilt > v->size.x * (ECP_R(0.3) + ECP_R(2.0) * is->tau * ecp_v3_norm(I->w_f))) {
        q.kind = ECP_GEN_ELLIPSOID;
    }
    if (q.kind == ECP_GEN_ELLIPSOID) {
        v->q_u = ecp_v3_norm(ecp_v3_mul(v->size, ecp_m3_tmulv(&I->R_u, p->n_u)));
        q.gap_u -= v->q_u;
    }
    return q;
}

// gap of a generator at the start along the normal N that eta gives; *tilt of a disc there
static ecp_real start_gap(const ecp_island *is, const ecp_patch *p, const ecp_point *q, const ecp_curve *v,
                          const ecp_real *eta, ecp_real *tilt, ecp_vec3 *N)
{
    const ecp_mat3 *R_u = &is->body[p->I].R_u;
    ecp_vec3 Nu = p->n_u;
    ecp_real sum = q->gap_u + v->q_u;
    for (int j = 0; j < ecp_patch_sides(p); j++) {
        sum += eta[j] * (ecp_v3_dot(p->b_u[j], ecp_v3_add(p->W0_u, q->r_u)) - p->d[j]);
        Nu = ecp_v3_axpy(Nu, eta[j], p->b_u[j]);
    }
    const ecp_real inv = ecp_patch_sides(p) > 0 ? ECP_R(1.0) / ecp_v3_norm(Nu) : ECP_R(1.0);
    *N = ecp_v3_scale(inv, Nu);
    const ecp_real reach = ecp_v3_norm(ecp_v3_mul(v->size, ecp_m3_tmulv(R_u, *N)));
    *tilt = q->kind == ECP_GEN_DISC ? reach : ECP_R(0.0);
    if (ecp_patch_sides(p) == 0) {
        return q->gap_u;
    }
    return sum * inv - (q->kind == ECP_GEN_ELLIPSOID ? reach : ECP_R(0.0));
}

// a generator that starts at the surface keeps its gap, one inside recovers                [G2] [C2]
static void snap_point(const ecp_case *c, const ecp_island *is, const ecp_patch *p, const ecp_real *eta,
                       ecp_point *q, ecp_curve *v)
{
    const ecp_touch *t = &c->sub->touch[p->contact];
    const ecp_real eg = snap_width(is->tau);
    const ecp_mat3 *R_u = &is->body[p->I].R_u;
    ecp_real tilt;
    ecp_vec3 N;
    const ecp_real gap = start_gap(is, p, q, v, eta, &tilt, &N);
    ecp_real low = gap - tilt;
    if (!ecp_touch_flat(t)) {
        // below the face and yet outside, beside it; a pair is never deeper than it is
        low = ecp_max(low, ecp_min(t->gap / c->scale.L, ECP_R(0.0)));
    }
    if (low < -eg) {
        q->snap = ecp_min(ECP_R(0.0), low + is->tau * recovery_of(c, p->contact) / c->scale.U);
    } else if (ecp_fabs(gap) <= eg && (q->kind != ECP_GEN_DISC || tilt <= eg)) {
        q->snap = (ECP_REAL_BITS == 32 ? ECP_R(0.95) : ECP_R(1.0)) * gap;
        for (int i = 0; i < 2 && q->kind == ECP_GEN_DISC; i++) {
            v->tilt_u[i] -= v->size.x * ecp_v3_dot(N, ecp_m3_column(R_u, i));
        }
    }
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
static ecp_real rank_of(const ecp_case *c, const ecp_island *is, const ecp_patch *p, const ecp_point *q)
{
    const ecp_island_body *I = &is->body[p->I], *R = &is->body[p->R];
    const ecp_touch *t = &c->sub->touch[p->contact];
    if (q->feature == t->extra || carried(&c->sub->world->contact[p->contact].warm, q->feature)) {
        return -ECP_REAL_MAX;
    }
    const ecp_vec3 u = ecp_v3_scale(ECP_R(0.5) * is->tau, I->w_f);
    const ecp_vec3 move = ecp_v3_axpy(ecp_cayley_increment(u, q->r_u), is->tau, ecp_v3_sub(I->v_f, R->v_f));
    const ecp_real gap = ecp_touch_flat(t) ? q->gap_u : ecp_v3_dot(t->n, ecp_v3_add(p->W0_u, q->r_u));
    return ecp_min(gap, gap + ecp_v3_dot(t->n, move));
}

static void choose_points(const ecp_case *c, const ecp_island *is, ecp_patch *p, const ecp_real *eta,
                          ecp_real base)
{
    const int count = ecp_generator_count(c->sub->world->body[is->body[p->I].world].shape);
    ecp_real rank[ECP_MAX_GENERATORS];
    p->point_count = 0;
    for (int f = 0; f < count; f++) {
        ecp_curve v;
        ecp_point q = start_point(c, p, is, f, base, &v);
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
        snap_point(c, is, p, eta, &q, &v);
        p->point[at] = q;
        if (at < 2) {
            p->curve[at] = v;
        }
        rank[at] = r;
    }
}

// face and side planes of a polytope at the start, the four sides with least slack at the closest point
static void set_face(const ecp_case *c, ecp_island *is, ecp_patch *p)
{
    const ecp_touch *t = &c->sub->touch[p->contact];
    const ecp_island_body *R = &is->body[p->R];
    const ecp_shape *shape = c->sub->world->body[R->world].shape;
    const ecp_vec3 origin = { 0, 0, 0 };
    const ecp_facet_value face = ecp_facet_eval(shape, t->facet, origin);
    const ecp_vec3 at = ecp_v3_sub(t->at, c->sub->world->body[R->world].state.position);
    const ecp_vec3 y = ecp_m3_tmulv(&R->R_u, at);
    int16_t side[ECP_MAX_FACETS];
    ecp_real slack[ECP_MAX_SIDES];
    const int count = ecp_pair_sides(shape, t->facet, side, ECP_MAX_FACETS);
    p->side_count = 0;
    for (int i = 0; i < count; i++) {
        const ecp_facet_value v = ecp_facet_eval(shape, side[i], y);
        const ecp_real s = side[i] == t->extra_side ? -ECP_REAL_MAX : -v.f;
        int to = ecp_patch_sides(p);
        if (to == ECP_MAX_SIDES) {
            to = 0;
            for (int k = 1; k < ECP_MAX_SIDES; k++) {
                to = slack[k] > slack[to] ? k : to;
            }
            if (!(s < slack[to])) {
                continue;
            }
        } else {
            p->side_count++;
        }
        slack[to] = s;
        p->side[to] = side[i];
        // the plane through the common edge square to the face: where facets meet at a blunt edge, a tilt
        // towards the other facet's own normal would grow without bound
        const ecp_vec3 flat = ecp_v3_axpy(v.g, -ecp_v3_dot(v.g, face.g), face.g);
        const ecp_real inv = ECP_R(1.0) / ecp_max(ecp_v3_norm(flat), ECP_R(1e-6));
        const ecp_real d = ecp_v3_dot(v.g, face.g) * face.f - ecp_facet_eval(shape, side[i], origin).f;
        p->b_u[to] = ecp_v3_scale(inv, ecp_m3_mulv(&R->R_u, flat));
        p->d[to] = inv * d / c->scale.L;
    }
}

// eta to start from: of the last step where the face is the same, else from the normal of the start
static void first_eta(const ecp_case *c, const ecp_patch *p, ecp_real *eta)
{
    const ecp_touch *t = &c->sub->touch[p->contact];
    const ecp_contact *k = &c->sub->world->contact[p->contact];
    const bool same = k->warm.count > 0 && k->warm.facet == t->facet &&
                      k->warm.incident == (k->a == t->I ? 1 : 2);
    const ecp_real cosine = ecp_max(ecp_v3_dot(t->n, p->n_u), ECP_R(0.1));
    for (int j = 0; j < ecp_patch_sides(p); j++) {
        eta[j] = ecp_max(ECP_R(0.0), ecp_v3_dot(t->n, p->b_u[j])) / cosine;
        // rounding of the normal is no tilt
        eta[j] = eta[j] < (ECP_REAL_BITS == 32 ? ECP_R(1e-5) : ECP_R(1e-9)) ? ECP_R(0.0) : eta[j];
        for (int i = 0; same && i < ECP_MAX_SIDES; i++) {
            eta[j] = k->warm.side[i] == p->side[j] ? ecp_max(ECP_R(0.0), k->warm.eta[i]) : eta[j];
        }
    }
}

static void set_frame(const ecp_case *c, ecp_patch *p)
{
    const ecp_world *w = c->sub->world;
    const ecp_contact *k = &w->contact[p->contact];
    const ecp_touch *t = &c->sub->touch[p->contact];
    const ecp_body *B = &w->body[k->b];
    // B's pose at the end where it is prescribed
    const ecp_quat q = B->kind == ECP_DYNAMIC ? B->state.orientation : c->sub->end[k->b].orientation;
    const ecp_vec3 n = ecp_touch_flat(t) ? ecp_plane_at(w->body[t->R].shape, &c->sub->end[t->R]).n : t->n_u;
    p->axis = ecp_contact_axis(k, n, t->n_u, q);
}

static void build_patch(const ecp_case *c, int contact, ecp_island *is, const int *local, ecp_patch *p)
{
    const ecp_world *w = c->sub->world;
    const ecp_contact *k = &w->contact[contact];
    const ecp_touch *t = &c->sub->touch[contact];
    const ecp_body *I = &w->body[t->I], *R = &w->body[t->R];
    const ecp_real inv_L = ECP_R(1.0) / c->scale.L;
    ecp_real eta[ECP_MAX_SIDES] = { 0 }, base;
    p->contact = contact;
    p->I = local[t->I];
    p->R = local[t->R];
    p->round = t->facet < 0;
    p->side_count = 0;
    p->W0_u = ecp_v3_scale(inv_L, ecp_v3_sub(I->state.position, R->state.position));
    p->mu = k->mu;
    p->e[0] = k->e[0];
    p->e[1] = k->e[1];
    p->e[2] = k->e[2] * inv_L;
    set_frame(c, p);
    if (ecp_patch_round(p)) {
        const ecp_real length = ecp_v3_norm(p->W0_u);
        p->n_u = ecp_v3_scale(ECP_R(1.0) / ecp_max(length, ECP_R(1e-9)), p->W0_u);
        base = length - R->shape->size.x * inv_L;
    } else if (ecp_touch_flat(t)) {
        p->n_u = t->n;
        base = ecp_v3_dot(p->n_u, p->W0_u) - R->shape->offset * inv_L;
    } else {
        const ecp_facet_value f = ecp_facet_eval(R->shape, t->facet, ecp_v3(0, 0, 0));
        p->n_u = ecp_m3_mulv(&is->body[p->R].R_u, f.g);
        base = ecp_v3_dot(p->n_u, p->W0_u) + f.f * inv_L;
        set_face(c, is, p);
        first_eta(c, p, eta);
    }
    for (int j = 0; j < ecp_patch_sides(p); j++) {
        p->eta_u[j] = eta[j];
    }
    choose_points(c, is, p, eta, base);
}

static void build_body(const ecp_case *c, int i, ecp_island *is)
{
    const ecp_scale s = c->scale;
    const ecp_body *b = &c->sub->world->body[i];
    ecp_island_body *q = &is->body[is->body_count++];
    *q = (ecp_island_body){ .world = i, .slot = -1, .R_u = ecp_quat_matrix(b->state.orientation) };
    const ecp_free_motion *f = &c->sub->motion[i];
    const bool moves = b->kind == ECP_DYNAMIC;
    q->v_f = ecp_v3_scale(ECP_R(1.0) / s.U, moves ? f->v : b->state.velocity);
    q->w_f = ecp_v3_scale(s.L / s.U, moves ? f->w : b->state.angular_velocity);
    if (moves) {
        q->slot = is->moving_count++;
        q->minv = ecp_v3_scale(s.m, f->minv);
        for (int k = 0; k < 9; k++) {
            q->Iinv.m[k / 3][k % 3] = s.m * s.L * s.L * f->Iinv.m[k / 3][k % 3];
        }
    }
}

void ecp_case_build(const ecp_case *c)
{
    ecp_island *is = ecp_case_island(c);
    const ecp_world *w = c->sub->world;
    int local[ECP_MAX_BODIES];
    is->tau = c->scale.h * c->scale.U / c->scale.L;
    is->tolerance = w->settings.tolerance;
    is->gap_tolerance = ecp_max(is->tolerance, ECP_R(32.0) * ECP_REAL_EPS / is->tau);
    is->smoothing = 0;
    is->rates = false;
    is->body_count = is->moving_count = is->patch_count = 0;
    for (int i = 0; i < w->body_count; i++) {
        bool takes_part = c->sub->root[i] == c->root;
        for (int k = 0; k < w->contact_count && !takes_part; k++) {
            takes_part = ecp_case_in(c, k) && (c->sub->touch[k].I == i || c->sub->touch[k].R == i);
        }
        if (takes_part) {
            local[i] = is->body_count;
            build_body(c, i, is);
        }
    }
    for (int k = 0; k < w->contact_count; k++) {
        if (ecp_case_in(c, k)) {
            build_patch(c, k, is, local, &is->patch[is->patch_count++]);
        }
    }
    ecp_island_prepare(is);
}
