// substep.c - free motion, reach, islands, and their solution.
#include "world/substep.h"

#include "world/accept.h"
#include "world/fallback.h"
#include "world/ladder.h"
#include "world/pairs.h"
#include "world/results.h"

// speed of the points of a body in this substep, at least what gravity and recovery can give it
static ecp_real speed_of(const ecp_substep *sub, int i)
{
    const ecp_body *b = &sub->world->body[i];
    const ecp_state *s = &sub->end[i];
    ecp_real speed = ecp_v3_norm(s->velocity);
    if (b->shape->kind != ECP_SHAPE_HALFSPACE) {
        speed += b->radius * ecp_v3_norm(s->angular_velocity);
    }
    if (b->kind == ECP_DYNAMIC) {
        speed = ecp_max(speed, sub->h * ecp_v3_norm(sub->world->settings.gravity));
        speed = ecp_max(speed, ECP_R(1e-9) * b->radius / sub->h);
    }
    return speed;
}

// speed of a half-space where a body is
static ecp_real plane_speed(const ecp_world *w, const ecp_pair *p)
{
    const ecp_state *s = &w->body[p->plane].state;
    const ecp_body *b = &w->body[p->moving];
    const ecp_vec3 W = ecp_v3_sub(b->state.position, s->position);
    const ecp_vec3 v = ecp_v3_add(s->velocity, ecp_v3_cross(s->angular_velocity, W));
    return ecp_v3_norm(v) + b->radius * ecp_v3_norm(s->angular_velocity);
}

// a conservative bound of what the bodies of a contact can cover towards one another
static ecp_real reach_of(const ecp_substep *sub, int k)
{
    const ecp_world *w = sub->world;
    const ecp_contact *c = &w->contact[k];
    if (w->body[c->a].shape->kind == ECP_SHAPE_HALFSPACE || w->body[c->b].shape->kind == ECP_SHAPE_HALFSPACE) {
        const ecp_pair p = ecp_contact_pair(w, c);
        return ECP_R(2.0) * sub->h * ecp_max(speed_of(sub, p.moving), plane_speed(w, &p));
    }
    return ECP_R(2.0) * sub->h * (speed_of(sub, c->a) + speed_of(sub, c->b));
}

static void open_contact(ecp_substep *sub, int k)
{
    const ecp_world *w = sub->world;
    ecp_touch *t = &sub->touch[k];
    const ecp_real reach = reach_of(sub, k);
    ecp_pair_open(w, k, reach, t);
    t->in = t->gap <= reach;
    if (ecp_touch_flat(t) && !t->in) {
        const ecp_world_plane plane = ecp_plane_at(w->body[t->R].shape, &sub->end[t->R]);
        t->in = ecp_plane_gap(w->body[t->I].shape, &sub->end[t->I], plane, NULL) < ECP_R(0.0);
    }
}

// end states without contact
static void free_ends(ecp_substep *sub)
{
    const ecp_world *w = sub->world;
    for (int i = 0; i < w->body_count; i++) {
        const ecp_body *b = &w->body[i];
        ecp_state s = b->state;
        sub->carry[i] = b->carry;
        if (b->kind == ECP_DYNAMIC) {
            s.velocity = sub->motion[i].v;
            s.angular_velocity = sub->motion[i].w;
            ecp_body_lock(&s, b->lock);
        }
        sub->end[i] = b->kind == ECP_FIXED ? b->state : ecp_state_advanced(&s, sub->h);
    }
}

bool ecp_substep_open(ecp_substep *sub, ecp_world *w, ecp_real h, bool first)
{
    sub->world = w;
    sub->h = h;
    for (int i = 0; i < w->body_count; i++) {
        if (w->body[i].kind == ECP_DYNAMIC &&
            !ecp_body_free_motion(&w->body[i], w->settings.gravity, h, first, &sub->motion[i])) {
            return false;
        }
    }
    free_ends(sub);
    for (int k = 0; k < w->contact_count; k++) {
        open_contact(sub, k);
    }
    return true;
}

void ecp_substep_islands(ecp_substep *sub)
{
    const ecp_world *w = sub->world;
    for (int i = 0; i < w->body_count; i++) {
        sub->root[i] = w->body[i].kind == ECP_DYNAMIC ? i : -1;
    }
    for (int k = 0; k < w->contact_count; k++) {
        const int I = sub->root[sub->touch[k].I], R = sub->root[sub->touch[k].R];
        if (!sub->touch[k].in || I < 0 || R < 0 || I == R) {
            continue;
        }
        const int from = I > R ? I : R, to = I > R ? R : I;
        for (int i = 0; i < w->body_count; i++) {
            sub->root[i] = sub->root[i] == from ? to : sub->root[i];
        }
    }
}

static void free_end(ecp_substep *sub, int root)
{
    const ecp_world *w = sub->world;
    for (int i = 0; i < w->body_count; i++) {
        if (sub->root[i] == root) {
            sub->carry[i] = ecp_body_carry(&w->body[i], sub->motion[i].dv, sub->h, &sub->end[i]);
        }
    }
}

static bool solve_island(ecp_substep *sub, int root, bool fallback, ecp_progress *progress)
{
    ecp_case c;
    if (ecp_out_of_time(progress)) {
        return false;
    }
    ecp_case_open(&c, sub, root);
    if (!c.reached) {
        free_end(sub, root);
        ecp_results_open(&c);
        return true;
    }
    return ecp_ladder_solve(&c, progress) ||
           (fallback && !ecp_out_of_time(progress) && ecp_fallback_solve(&c, progress));
}

static bool solve_islands(ecp_substep *sub, bool fallback, ecp_progress *progress)
{
    const ecp_world *w = sub->world;
    for (int i = 0; i < w->body_count; i++) {
        if (sub->root[i] == i && !solve_island(sub, i, fallback, progress)) {
            return false;
        }
    }
    return true;
}

static bool commit(ecp_substep *sub)
{
    ecp_world *w = sub->world;
    for (int i = 0; i < w->body_count; i++) {
        const ecp_state *s = &sub->end[i];
        if (!ecp_v3_finite(s->position) || !ecp_v3_finite(s->velocity) ||
            !ecp_v3_finite(s->angular_velocity) || !ecp_quat_finite(s->orientation)) {
            return false;
        }
    }
    for (int i = 0; i < w->body_count; i++) {
        w->body[i].state = sub->end[i];
        w->body[i].carry = sub->carry[i];
    }
    return true;
}

// impulses of earlier substeps, to start again from
static void sums(ecp_substep *sub, bool restore)
{
    for (int k = 0; k < sub->world->contact_count; k++) {
        ecp_contact_report *r = &sub->world->result[k];
        ecp_real *at[4] = { &r->pn, &r->pt, &r->po, &r->pr };
        for (int i = 0; i < 4; i++) {
            *(restore ? at[i] : &sub->sum[k][i]) = *(restore ? &sub->sum[k][i] : at[i]);
        }
        r->mode = ECP_OPEN;
        r->sigma = r->reserve = 0;
    }
}

static void forget_unsolved(const ecp_substep *sub)
{
    for (int k = 0; k < sub->world->contact_count; k++) {
        if (!sub->touch[k].in) {
            sub->world->contact[k].warm.count = 0;
        }
    }
}

bool ecp_substep_run(ecp_world *w, ecp_real h, bool first, bool fallback, ecp_progress *progress)
{
    ecp_substep sub;
    if (!ecp_substep_open(&sub, w, h, first)) {
        return false;
    }
    sums(&sub, false);
    // every turn joins at least two islands
    for (int turn = 0; turn <= ECP_MAX_CONTACTS; turn++) {
        ecp_substep_islands(&sub);
        if (!solve_islands(&sub, fallback, progress)) {
            return false;
        }
        if (ecp_accept_between(&sub)) {
            forget_unsolved(&sub);
            return commit(&sub);
        }
        sums(&sub, true);
        free_ends(&sub);
    }
    return false;
}
