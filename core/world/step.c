// step.c - the walk of a step: substeps, bodies, commit or restore, report.
#include "shape/closest.h"
#include "world/pairs.h"
#include "world/step.h"
#include "world/substep.h"

static void save(ecp_world *w)
{
    for (int i = 0; i < w->body_count; i++) {
        w->saved_state[i] = w->body[i].state;
        w->saved_carry[i] = w->body[i].carry;
    }
    for (int k = 0; k < w->contact_count; k++) {
        w->saved_warm[k] = w->contact[k].warm;
    }
}

static void restore_state(ecp_world *w)
{
    for (int i = 0; i < w->body_count; i++) {
        w->body[i].state = w->saved_state[i];
        w->body[i].carry = w->saved_carry[i];
    }
}

static void restore(ecp_world *w)
{
    restore_state(w);
    for (int k = 0; k < w->contact_count; k++) {
        w->contact[k].warm = w->saved_warm[k];
    }
}

// a kinematic body goes where its velocity takes it; false: nowhere that can be written down
static bool prescribed_ok(const ecp_body *b, ecp_real h)
{
    const ecp_state end = ecp_state_advanced(&b->state, h);
    return ecp_v3_finite(end.position) && ecp_v3_finite(end.velocity) && ecp_v3_finite(end.angular_velocity) &&
           ecp_fabs(ecp_quat_norm(end.orientation) - ECP_R(1.0)) <= ECP_R(1e-3);
}

// substeps the fastest spin asks for: h |w_f| / n <= 0.5; 0 when the bound does not suffice
static int substeps_for_spin(const ecp_world *w, ecp_real h)
{
    int n = 1;
    for (int i = 0; i < w->body_count; i++) {
        ecp_free_motion m;
        ecp_real spin = 0;
        if (w->body[i].kind == ECP_DYNAMIC) {
            if (!ecp_body_free_motion(&w->body[i], w->settings.gravity, h, true, &m)) {
                return 0;
            }
            spin = h * ecp_v3_norm(m.w);
        } else if (!prescribed_ok(&w->body[i], h)) {
            return 0;
        }
        while (spin > ECP_R(0.5) * (ecp_real)n) {
            if (n >= ECP_MAX_SUBSTEPS) {
                return 0;
            }
            n *= 2;
        }
    }
    return n;
}

// speed of the fastest point of a body in the free motion of a step of h
static ecp_real speed_bound(const ecp_world *w, const ecp_body *b, ecp_real h)
{
    ecp_vec3 v = b->state.velocity, spin = b->state.angular_velocity;
    ecp_free_motion f;
    if (b->kind == ECP_DYNAMIC && ecp_body_free_motion(b, w->settings.gravity, h, true, &f)) {
        v = f.v;
        spin = f.w;
    }
    return ecp_v3_norm(v) + b->radius * ecp_v3_norm(spin);
}

// substeps that keep closing bodies from passing each other: at most the smaller inner radius each; 0 as
// above. Half-spaces have no far side.
static int substeps_for_closing(const ecp_world *w, ecp_real h)
{
    int n = 1;
    for (int k = 0; k < w->contact_count; k++) {
        const ecp_body *a = &w->body[w->contact[k].a], *b = &w->body[w->contact[k].b];
        if (ecp_contact_flat(w, &w->contact[k])) {
            continue;
        }
        const ecp_real least = ecp_min(ecp_inner_radius(a->shape), ecp_inner_radius(b->shape));
        const ecp_real most = h * (speed_bound(w, a, h) + speed_bound(w, b, h));
        if (most <= least || ecp_pair_bound(a, &a->state, b, &b->state) > most) {
            continue;
        }
        const ecp_real way = h * ecp_pair_speed(w, k, h);
        while (way > least * (ecp_real)n) {
            if (n >= ECP_MAX_SUBSTEPS) {
                return 0;
            }
            n *= 2;
        }
    }
    return n;
}

// numbers that leave the range of the real type, say the slip of a friction ellipsoid of huge e, make
// the step one that cannot be taken
static bool results_finite(const ecp_world *w)
{
    for (int k = 0; k < w->contact_count; k++) {
        const ecp_contact_report *r = &w->result[k];
        const ecp_real x[] = { r->pn, r->pt, r->po, r->pr, r->sigma, r->reserve, r->a.x, r->a.y, r->a.z };
        for (int i = 0; i < 9; i++) {
            if (!ecp_finite(x[i])) {
                return false;
            }
        }
    }
    return true;
}

static bool run_substeps(ecp_world *w, ecp_real h, int n, bool fallback, ecp_progress *progress)
{
    const ecp_real part = h / (ecp_real)n;
    for (int k = 0; k < w->contact_count; k++) {
        w->result[k] = (ecp_contact_report){ .mode = ECP_OPEN };
    }
    for (int s = 0; s < n; s++) {
        if (!ecp_substep_run(w, part, s == 0, fallback, progress)) {
            return false;
        }
    }
    return results_finite(w);
}

// the pair by closest points; a pressing contact keeps the frame and the point it was solved with
static void report_pair(const ecp_world *w, int k, const ecp_state *start, ecp_contact_report *r)
{
    const ecp_contact *c = &w->contact[k];
    const ecp_body *a = &w->body[c->a], *b = &w->body[c->b];
    const ecp_posed A = ecp_posed_at(a->shape, &a->state), B = ecp_posed_at(b->shape, &b->state);
    const ecp_closest_points p = ecp_closest(&A, &B);
    r->gap = p.gap;
    if (r->mode == ECP_OPEN) {
        r->a = p.a;
        r->n = p.n;
        const ecp_quat q = b->kind == ECP_DYNAMIC ? start[c->b].orientation : b->state.orientation;
        r->t = ecp_contact_tangent(c, p.n, p.n, q);
        r->patch = r->facets = 0;
        r->edge = 0;
        return;
    }
    const ecp_real tol = ECP_TOUCHING * ecp_min(a->radius, b->radius);
    r->patch = ecp_pair_touching(&A, &B, r->n, tol, r->a, &r->edge, &r->facets);
    r->patch = r->patch > 0 ? r->patch : 1;
}

// geometry of contact k at the present pose; the frame as at the end of a step that began at u
static void report_geometry(const ecp_world *w, int k, const ecp_state *start, ecp_contact_report *r)
{
    const ecp_contact *c = &w->contact[k];
    if (!ecp_contact_flat(w, c)) {
        report_pair(w, k, start, r);
        return;
    }
    const ecp_pair pair = ecp_contact_pair(w, c);
    const ecp_body *plane = &w->body[pair.plane], *b = &w->body[pair.moving];
    const ecp_world_plane now = ecp_plane_at(plane->shape, &plane->state);
    const ecp_vec3 n_u = ecp_plane_at(plane->shape, &start[pair.plane]).n;
    ecp_vec3 closest;
    r->gap = ecp_plane_gap(b->shape, &b->state, now, &closest);
    if (r->mode == ECP_OPEN) {
        r->a = closest;
        r->patch = r->facets = 0;
        r->edge = 0;
    } else {
        r->patch = ecp_touching_set(b->shape, &b->state, now, ECP_TOUCHING * b->radius, r->a, &r->edge,
                                    &r->facets);
    }
    r->t = ecp_contact_tangent(c, now.n, n_u,
                               pair.swapped ? start[pair.moving].orientation : plane->state.orientation);
    r->n = now.n;
    if (pair.swapped) {
        // body A is the half-space: its point, n reversed, o = n x t reversed, the opposite force
        r->a = ecp_v3_axpy(r->a, -(ecp_v3_dot(now.n, r->a) - now.d), now.n);
        r->n = ecp_v3_scale(ECP_R(-1.0), now.n);
        r->pt = -r->pt;
        r->facets = r->mode == ECP_OPEN ? 0 : 1;
    }
}

static void fill_report(ecp_world *w, const ecp_state *start, ecp_report *report)
{
    report->contact_count = w->contact_count;
    report->gap_min = 0;
    for (int k = 0; k < ECP_MAX_CONTACTS; k++) {
        report->contact[k] = (ecp_contact_report){ .mode = ECP_OPEN };
    }
    for (int k = 0; k < w->contact_count; k++) {
        report->contact[k] = w->result[k];
        report_geometry(w, k, start, &report->contact[k]);
        const ecp_real gap = report->contact[k].gap;
        report->gap_min = k == 0 ? gap : ecp_min(report->gap_min, gap);
    }
}

static ecp_status refuse(ecp_world *w, ecp_report *report, ecp_status status, const char *text)
{
    w->error = text;
    if (report != NULL) {
        *report = (ecp_report){ .status = status };
    }
    return status;
}

static ecp_status commit(ecp_world *w, int n, const ecp_progress *progress, ecp_report *report)
{
    for (int i = 0; i < w->body_count; i++) {
        w->body[i].impulse = w->body[i].angular_impulse = ecp_v3(0, 0, 0);
    }
    const ecp_status status = progress->degraded ? ECP_DEGRADED : (n > 1 ? ECP_SUBSTEPPED : ECP_OK);
    if (report != NULL) {
        report->status = status;
        report->iterations = progress->iterations;
        report->substeps = n;
        report->residual = progress->residual;
        fill_report(w, w->saved_state, report);
    }
    return status;
}

// one pass of the ladder in n substeps; false: the state is that of the start again
static bool attempt(ecp_world *w, ecp_real h, int n, ecp_pass pass, ecp_progress *progress)
{
    progress->pass = pass;
    progress->residual = 0;
    if (run_substeps(w, h, n, pass == ECP_PASS_LAST, progress)) {
        return true;
    }
    restore_state(w);
    return false;
}

ecp_status ecp_step(ecp_world *world, ecp_real h, ecp_report *report)
{
    return ecp_step_until(world, h, report, NULL, NULL);
}

ecp_status ecp_step_until(ecp_world *world, ecp_real h, ecp_report *report,
                          bool (*stop)(void *context), void *context)
{
    if (world == NULL) {
        return ECP_E_ARG;
    }
    if (!(h > ECP_R(0.0)) || !ecp_finite(h)) {
        return refuse(world, report, ECP_E_ARG, "h must be positive and finite");
    }
    const int spin = substeps_for_spin(world, h);
    if (spin == 0) {
        return refuse(world, report, ECP_E_STATE,
                      "a body moves or spins too fast for h within ECP_MAX_SUBSTEPS substeps");
    }
    const int apart = substeps_for_closing(world, h);
    if (apart == 0) {
        return refuse(world, report, ECP_E_STATE,
                      "two bodies close too fast for h within ECP_MAX_SUBSTEPS substeps");
    }
    ecp_progress progress = { .pass = ECP_PASS_RIGID, .stop = stop, .stop_context = context };
    const int least = spin > apart ? spin : apart;
    save(world);
    for (int n = least; n <= ECP_MAX_SUBSTEPS; n *= 2) {
        if (attempt(world, h, n, ECP_PASS_RIGID, &progress)) {
            return commit(world, n, &progress, report);
        }
    }
    // what rates leave out shrinks with the square of the substep: all at once or as fine as may be
    for (int n = least; n <= ECP_MAX_SUBSTEPS; n = n < ECP_MAX_SUBSTEPS ? ECP_MAX_SUBSTEPS : n + 1) {
        if (attempt(world, h, n, ECP_PASS_RATES, &progress)) {
            return commit(world, n, &progress, report);
        }
    }
    if (attempt(world, h, least, ECP_PASS_LAST, &progress)) {
        return commit(world, least, &progress, report);
    }
    restore(world);
    if (progress.stopped) {
        return ECP_DEADLINE;
    }
    return refuse(world, report, ECP_E_DIVERGED, "no valid step was found");
}

ecp_status ecp_observe(const ecp_world *world, ecp_report *report)
{
    if (world == NULL || report == NULL) {
        return ECP_E_ARG;
    }
    *report = (ecp_report){ .status = ECP_OK, .contact_count = world->contact_count };
    ecp_state start[ECP_MAX_BODIES];
    for (int i = 0; i < world->body_count; i++) {
        start[i] = world->body[i].state;
    }
    for (int k = 0; k < world->contact_count; k++) {
        report_geometry(world, k, start, &report->contact[k]);
        report->gap_min = k == 0 ? report->contact[k].gap
                                 : ecp_min(report->gap_min, report->contact[k].gap);
    }
    return ECP_OK;
}
