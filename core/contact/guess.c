// guess.c - impulses to start Newton from: projected Jacobi sweeps at the start pose.   [G8]
#include "contact/island.h"
#include "contact/place.h"
#include "math/project.h"

static ecp_real inverse_mass_along(const ecp_island *is, ecp_vec3 r, ecp_vec3 d)
{
    const ecp_vec3 rd = ecp_v3_cross(r, d);
    return ecp_v3_dot(d, ecp_v3_mul(is->minv, d)) + ecp_v3_dot(rd, ecp_m3_mulv(&is->Iinv, rd));
}

void ecp_island_velocities(ecp_island *is, ecp_real *z)
{
    ecp_vec3 force = { 0, 0, 0 }, moment = { 0, 0, 0 };
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_place_sums(c, s);
        ecp_place_ecp(c, s);
        const ecp_real *p = s + c->width;
        const ecp_vec3 Pt = ecp_v3_add(ecp_v3_scale(c->e[0] * p[0], c->t),
                                       ecp_v3_scale(c->e[1] * p[1], c->o));
        force = ecp_v3_add(force, ecp_v3_axpy(Pt, c->px, c->n));
        moment = ecp_v3_add(moment, ecp_v3_cross(c->S, c->n));
        moment = ecp_v3_add(moment, ecp_v3_cross(c->ra, Pt));
        moment = ecp_v3_axpy(moment, c->e[2] * p[2], c->n);
        s += c->width + 3;
    }
    is->v = ecp_v3_add(is->v_f, ecp_v3_mul(is->minv, force));
    is->w = ecp_v3_add(is->w_f, ecp_m3_mulv(&is->Iinv, moment));
    z[0] = is->v.x;
    z[1] = is->v.y;
    z[2] = is->v.z;
    z[3] = is->w.x;
    z[4] = is->w.y;
    z[5] = is->w.z;
}

// gap rate of one generator, at the start pose
static ecp_real gap_rate(const ecp_island *is, const ecp_patch *c, const ecp_point *p)
{
    const ecp_vec3 plane = ecp_v3_add(c->v_R, ecp_v3_cross(c->w_R, ecp_v3_add(c->W0, p->r)));
    const ecp_vec3 v = ecp_v3_sub(ecp_v3_add(is->v, ecp_v3_cross(is->w, p->r)), plane);
    return ecp_v3_dot(c->n, v);
}

static void sweep_normal(const ecp_island *is, const ecp_patch *c, ecp_point *p, ecp_real *x,
                         ecp_real relax)
{
    ecp_real D = inverse_mass_along(is, p->r, c->n);
    if (p->width == 1) {
        const ecp_real y = (p->gap_u - p->snap) / is->tau + gap_rate(is, c, p);
        x[0] = ecp_max(ECP_R(0.0), x[0] - relax * y / ecp_max(D, ECP_R(1e-6)));
        return;
    }
    ecp_real y[3] = { (p->gap_u - p->snap) / is->tau + gap_rate(is, c, p), 0, 0 };
    for (int i = 0; i < 2; i++) {
        const ecp_vec3 EN = ecp_v3_cross(p->E[i], c->n);
        y[1 + i] = p->tilt_u[i] / is->tau + ecp_v3_dot(ecp_v3_sub(is->w, c->w_R), EN);
        D += ecp_v3_dot(EN, ecp_m3_mulv(&is->Iinv, EN));
    }
    ecp_real step[3];
    for (int i = 0; i < 3; i++) {
        step[i] = x[i] - relax * y[i] / ecp_max(D, ECP_R(1e-6));
    }
    ecp_project_cone(step, x, NULL);
}

static void sweep_friction(const ecp_island *is, const ecp_patch *c, ecp_real *phat, ecp_real relax)
{
    const ecp_vec3 plane = ecp_v3_add(c->v_R, ecp_v3_cross(c->w_R, ecp_v3_add(c->W0, c->ra)));
    const ecp_vec3 vc = ecp_v3_sub(ecp_v3_add(is->v, ecp_v3_cross(is->w, c->ra)), plane);
    const ecp_real vhat[3] = { c->e[0] * ecp_v3_dot(c->t, vc), c->e[1] * ecp_v3_dot(c->o, vc),
                               c->e[2] * ecp_v3_dot(c->n, ecp_v3_sub(is->w, c->w_R)) };
    ecp_real step[3];
    for (int i = 0; i < 3; i++) {
        step[i] = phat[i] - relax * c->mf * vhat[i];
    }
    ecp_project_ball(step, c->mu * ecp_max(c->px, ECP_R(0.0)), phat, NULL, NULL);
}

void ecp_island_sweep(ecp_island *is, ecp_real *z, int sweeps)
{
    is->u = ecp_v3(0, 0, 0);
    for (int k = 0; k < sweeps; k++) {
        ecp_island_velocities(is, z);
        // simultaneous update, shared among the points that press or are about to: symmetric
        // scenes stay symmetric
        ecp_real active = 0;
        for (int i = 0, row = 6; i < is->patch_count; row += is->patch[i].width + 3, i++) {
            const ecp_patch *c = &is->patch[i];
            for (int p = 0; p < c->point_count; p++) {
                const ecp_point *pt = &c->point[p];
                const bool near = (pt->gap_u - pt->snap) / is->tau + gap_rate(is, c, pt) <= 0;
                active += (z[row + pt->first] > ECP_R(0.0) || near) ? ECP_R(1.0) : ECP_R(0.0);
            }
        }
        const ecp_real relax = ECP_R(1.5) / ecp_max(active, ECP_R(1.5));
        ecp_real *s = z + 6;
        for (int i = 0; i < is->patch_count; i++) {
            ecp_patch *c = &is->patch[i];
            for (int p = 0; p < c->point_count; p++) {
                sweep_normal(is, c, &c->point[p], s + c->point[p].first, relax);
            }
            sweep_friction(is, c, s + c->width, ECP_R(1.0) / (ecp_real)is->patch_count);
            s += c->width + 3;
        }
    }
    // the normal impulses moved after friction did
    ecp_island_clip(is, z);
}

void ecp_island_clip(ecp_island *is, ecp_real *z)
{
    ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_place_sums(c, s);
        const ecp_real phat[3] = { s[c->width], s[c->width + 1], s[c->width + 2] };
        ecp_project_ball(phat, c->mu * ecp_max(c->px, ECP_R(0.0)), s + c->width, NULL, NULL);
        s += c->width + 3;
    }
    ecp_island_velocities(is, z);
}

void ecp_island_soften(ecp_island *is, const ecp_real *z)
{
    const ecp_real *s = z + 6;
    for (int i = 0; i < is->patch_count; i++) {
        ecp_patch *c = &is->patch[i];
        ecp_place_sums(c, s);
        c->rho = ecp_min(ECP_FRICTION_RHO, ecp_max(c->mu * c->px / c->mf, ECP_R(1e-4)));
        s += c->width + 3;
    }
}
