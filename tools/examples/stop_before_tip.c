// stop_before_tip.c - push a tall box harder and harder; stop before it tips, or before it slips.
#include "ecp.h"

#include <stdio.h>

#define EDGE_LEFT 0.01     // m that the contact point keeps from the border of the base
#define RESERVE_LEFT 0.05  // part of the friction that is kept

static ecp_world world;
static ecp_report report;

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0), box_shape = ECP_BOX(0.2, 0.2, 0.6);

static int build(ecp_real mu)
{
    const ecp_settings settings = { .gravity = { 0, 0, -9.81 } };
    const ecp_body_def plane = { .kind = ECP_FIXED, .shape = &floor_shape,
                                 .state.orientation.w = 1 };
    const ecp_body_def box = { .kind = ECP_DYNAMIC, .shape = &box_shape, .mass = 2,
                               .state = { .position = { 0, 0, 0.3 },
                                          .orientation = { 1, 0, 0, 0 } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = mu, .e = { 1, 1, 0.08 } };
    return ecp_world_init(&world, &settings) < 0 || ecp_add_body(&world, &plane, NULL) < 0 ||
           ecp_add_body(&world, &box, NULL) < 0 || ecp_add_contact(&world, &touch, NULL) < 0;
}

static const char *too_close(const ecp_contact_report *c)
{
    if (c->mode == ECP_OPEN) {
        return "it left the floor";
    }
    // a patch that is no surface any more has tipped: edge then runs along a line
    if (c->patch < 3 || c->edge < (ecp_real)EDGE_LEFT) {
        return "about to tip";
    }
    return c->mode == ECP_SLIP || c->reserve < (ecp_real)RESERVE_LEFT ? "about to slip" : NULL;
}

// force at 0.5 m above the floor, 0.05 N more in every step, until a margin is used up
static ecp_real push(ecp_real mu, const char **why)
{
    const ecp_real height = (ecp_real)(0.5 - 0.3);  // above the centre of mass
    ecp_real force = 0;
    *why = build(mu) ? "not built" : NULL;
    while (*why == NULL && force < 50) {
        force += (ecp_real)0.05;
        const ecp_vec3 F = { force, 0, 0 }, torque = { 0, height * force, 0 };
        if (ecp_set_wrench(&world, 1, F, torque) < 0 || ecp_step(&world, 0.005, &report) < 0) {
            *why = ecp_error(&world);
            break;
        }
        *why = too_close(&report.contact[0]);
    }
    return force;
}

int main(void)
{
    // it tips where 0.5 F = 0.1 m g: 3.924 N; with mu = 0.1 it slips first, at 1.962 N
    const char *rough, *smooth;
    const double tip = (double)push((ecp_real)0.8, &rough);
    const double slip = (double)push((ecp_real)0.1, &smooth);
    printf("mu 0.8: %s at %.2f N of 3.92\nmu 0.1: %s at %.2f N of 1.96\n", rough, tip, smooth,
           slip);
    return !(rough[9] == 't' && tip > 3.4 && tip < 3.92 && smooth[9] == 's' && slip > 1.8 && slip < 1.96);
}
