// guess.c - impulses to start Newton from: projected Jacobi sweeps at the start pose.   [G8]
#include "contact/island.h"
#include "contact/place.h"
#include "math/project.h"

static ecp_real inverse_mass_along(const ecp_island_body *b, ecp_vec3 r, ecp_vec3 d)
{
    const ecp_vec3 rd = ecp_v3_cross(r, d);
    return ecp_v3_dot(d, ecp_v3_mul(b->minv, d)) + ecp_v3_dot(rd, ecp_m3_mulv(&b->Iinv, rd));
}

static void set3(ecp_real *row, ecp_vec3 a)
{
    row[0] = a.x;
    row[1] = a.y;
    row[2] = a.z;
}

// wrench of the impulses s of one contact on its bodies
static void add_wrench(ecp_island *is, ecp_patch *c, const ecp_real *s)
{
    ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    ecp_place_sums(c, s);
    ecp_place_ecp(c, s);
    const ecp_real *p = s + ecp_patch_friction(c);
    const ecp_vec3 Pt = ecp_v3_add(ecp_v3_scale(c->e[0] * p[0], c->t), ecp_v3_scale(c->e[1] * p[1], c->o));
    const ecp_vec3 force = ecp_v3_axpy(Pt, c->px, c->n);
    ecp_vec3 moment = ecp_v3_add(ecp_v3_cross(c->S, c->n), ecp_v3_cross(c->ra, Pt));
    moment = ecp_v3_axpy(moment, c->e[2] * p[2], c->n);
    I->force = ecp_v3_add(I->force, force);
    I->moment = ecp_v3_add(I->moment, moment);
    R->force = ecp_v3_sub(R->force, force);
    R->moment = ecp_v3_sub(R->moment, ecp_v3_add(moment, ecp_v3_cross(c->W0, force)));
}

// velocities in z from the impulses in z: free motion + what they do where everything is placed
static void velocities(ecp_island *is, ecp_real *z)
{
    for (int i = 0; i < is->body_count; i++) {
        is->body[i].force = is->body[i].moment = ecp_v3(0, 0, 0);
    }
    const ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        add_wrench(is, &is->patch[i], s);
        s += ecp_patch_size(&is->patch[i]);
    }
    for (int i = 0; i < is->body_count; i++) {
        ecp_island_body *b = &is->body[i];
        b->v = ecp_v3_add(b->v_f, ecp_v3_mul(b->minv, b->force));
        b->w = ecp_v3_add(b->w_f, ecp_m3_mulv(&b->Iinv, b->moment));
        if (b->slot >= 0) {
            set3(z + 6 * b->slot, b->v);
            set3(z + 6 * b->slot + 3, b->w);
        }
    }
}

// relative velocity of I against R at lever r from the origin of I
static ecp_vec3 relative_velocity(const ecp_island *is, const ecp_patch *c, ecp_vec3 r)
{
    const ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    const ecp_vec3 face = ecp_v3_add(R->v, ecp_v3_cross(R->w, ecp_v3_add(c->W0, r)));
    return ecp_v3_sub(ecp_v3_add(I->v, ecp_v3_cross(I->w, r)), face);
}

// end gap over tau of one generator at the present velocities; y holds the start gap
static ecp_real end_gap(const ecp_island *is, const ecp_patch *c, const ecp_point *p)
{
    return p->y + ecp_v3_dot(c->n, relative_velocity(is, c, p->r));
}

// 1.5/(points of the body that press or are about to) of its inverse mass, both bodies: mass splitting
static ecp_real split(const ecp_island *is, const ecp_patch *c, ecp_real D_I, ecp_real D_R)
{
    const ecp_real sum = D_I * ecp_max(is->body[c->I].active, ECP_R(1.5)) +
                         D_R * ecp_max(is->body[c->R].active, ECP_R(1.5));
    return ECP_R(1.5) / ecp_max(sum, ECP_R(1e-6));
}

static void sweep_normal(const ecp_island *is, const ecp_patch *c, const ecp_point *p, ecp_real *x)
{
    const ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    ecp_real D_I = inverse_mass_along(I, p->r, c->n);
    ecp_real D_R = inverse_mass_along(R, ecp_v3_add(c->W0, p->r), c->n);
    const ecp_curve *v = ecp_patch_curve(c, p);
    ecp_real y[3] = { end_gap(is, c, p), 0, 0 }, step[3];
    if (p->width == 1) {
        x[0] = ecp_max(ECP_R(0.0), x[0] - split(is, c, D_I, D_R) * y[0]);
        return;
    }
    for (int i = 0; i < 2; i++) {
        const ecp_vec3 EN = ecp_v3_cross(v->E[i], c->n);
        y[1 + i] = v->tilt[i] + ecp_v3_dot(ecp_v3_sub(I->w, R->w), EN);
        D_I += ecp_v3_dot(EN, ecp_m3_mulv(&I->Iinv, EN));
        D_R += ecp_v3_dot(EN, ecp_m3_mulv(&R->Iinv, EN));
    }
    for (int i = 0; i < 3; i++) {
        step[i] = x[i] - split(is, c, D_I, D_R) * y[i];
    }
    ecp_project_cone(step, x, NULL);
}

static void sweep_friction(const ecp_island *is, const ecp_patch *c, ecp_real *phat)
{
    const ecp_island_body *I = &is->body[c->I], *R = &is->body[c->R];
    const int shared = I->slot < 0 ? R->patches : (R->slot < 0 || I->patches > R->patches ? I->patches : R->patches);
    const ecp_vec3 vc = relative_velocity(is, c, c->ra);
    const ecp_real vhat[3] = { c->e[0] * ecp_v3_dot(c->t, vc), c->e[1] * ecp_v3_dot(c->o, vc),
                               c->e[2] * ecp_v3_dot(c->n, ecp_v3_sub(I->w, R->w)) };
    ecp_real step[3];
    for (int i = 0; i < 3; i++) {
        step[i] = phat[i] - c->mf / (ecp_real)shared * vhat[i];
    }
    ecp_project_ball(step, c->mu * ecp_max(c->px, ECP_R(0.0)), phat, NULL, NULL);
}

// how many points of each body press or are about to
static void count_active(ecp_island *is, const ecp_real *z)
{
    const ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->body_count; i++) {
        is->body[i].active = 0;
    }
    for (int i = 0; i < is->patch_count; i++) {
        const ecp_patch *c = &is->patch[i];
        for (int k = 0; k < c->point_count; k++) {
            const ecp_point *p = &c->point[k];
            if (s[p->first] > ECP_R(0.0) || end_gap(is, c, p) <= ECP_R(0.0)) {
                is->body[c->I].active += ECP_R(1.0);
                is->body[c->R].active += ECP_R(1.0);
            }
        }
        s += ecp_patch_size(c);
    }
}

// the start pose, with the normals of the eta in z: y becomes the start gaps over tau
static void place_start(ecp_island *is, const ecp_real *z)
{
    for (int i = 0; i < is->body_count; i++) {
        is->body[i].u = is->body[i].v = ecp_v3(0, 0, 0);
    }
    const ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_place_normal(is, c, s + c->width);
        for (int k = 0; k < c->point_count; k++) {
            ecp_place_point(is, c, s + c->width, k);
        }
        s += ecp_patch_size(c);
    }
}

void ecp_island_start(ecp_island *is, ecp_real *z)
{
    is->rates = false;
    place_start(is, z);
    velocities(is, z);
}

void ecp_island_sweep(ecp_island *is, ecp_real *z, int sweeps)
{
    is->rates = false;
    place_start(is, z);
    for (int k = 0; k < sweeps; k++) {
        velocities(is, z);
        // simultaneous update: symmetric scenes stay symmetric
        count_active(is, z);
        ecp_real *s = z + ecp_island_first(is);
        for (int i = 0; i < is->patch_count; i++) {
            ecp_patch *c = &is->patch[i];
            for (int p = 0; p < c->point_count; p++) {
                sweep_normal(is, c, &c->point[p], s + c->point[p].first);
            }
            sweep_friction(is, c, s + ecp_patch_friction(c));
            s += ecp_patch_size(c);
        }
    }
    // the normal impulses moved after friction did
    ecp_island_clip(is, z);
}

void ecp_island_clip(ecp_island *is, ecp_real *z)
{
    ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_real *phat = s + ecp_patch_friction(c);
        ecp_place_sums(c, s);
        ecp_project_ball(phat, c->mu * ecp_max(c->px, ECP_R(0.0)), phat, NULL, NULL);
        s += ecp_patch_size(c);
    }
    velocities(is, z);
}

void ecp_island_soften(ecp_island *is, const ecp_real *z)
{
    const ecp_real *s = z + ecp_island_first(is);
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_place_sums(c, s);
        c->rho = ecp_min(ECP_FRICTION_RHO, ecp_max(c->mu * c->px / c->mf, ECP_R(1e-4)));
        s += ecp_patch_size(c);
    }
}
