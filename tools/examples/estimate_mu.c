// estimate_mu.c - the friction coefficient from the seen motion of a sliding box.
//
// The inverse query uses no friction model, so the model may be as wrong as you like: the world that
// answers has mu = 0.9. Only motions that a contact explains, and that slip, count.
#include "ecp.h"

#include <math.h>
#include <stdio.h>

#define TRUE_MU 0.37

static ecp_world nature, model;

static const ecp_shape floor_shape = ECP_HALFSPACE(0, 0, 1, 0), box_shape = ECP_BOX(0.2, 0.3, 0.1);

static int build(ecp_world *w, ecp_real mu)
{
    const ecp_settings settings = { .gravity = { 0, 0, -9.81 } };
    const ecp_body_def plane = { .kind = ECP_FIXED, .shape = &floor_shape, .state.orientation.w = 1 };
    const ecp_body_def box = { .kind = ECP_DYNAMIC, .shape = &box_shape, .mass = 1,
                               .state = { { 0, 0, 0.05 }, { 1, 0, 0, 0 }, { 1, 0.5, 0 }, { 0, 0, 3 } } };
    const ecp_contact_def touch = { .a = 1, .b = 0, .mu = mu, .e = { 1, 1, 0.08 } };
    return ecp_world_init(w, &settings) < 0 || ecp_add_body(w, &plane, NULL) < 0 ||
           ecp_add_body(w, &box, NULL) < 0 || ecp_add_contact(w, &touch, NULL) < 0;
}

int main(void)
{
    double sum = 0;
    int used = 0, left_out = 0;
    if (build(&nature, (ecp_real)TRUE_MU) || build(&model, (ecp_real)0.9)) {
        return 1;
    }
    for (int k = 0; k < 100; k++) {
        // what a camera would see: the pose and velocity before and after 5 ms, and the known loads
        ecp_motion seen = { .contact = 0, .h = (ecp_real)0.005, .slack = (ecp_real)1e-4 };
        ecp_inverse_result found;
        ecp_get_state(&nature, 1, &seen.before);
        if (ecp_step(&nature, seen.h, NULL) != ECP_OK) {
            continue;
        }
        ecp_get_state(&nature, 1, &seen.after);
        if (ecp_inverse(&model, &seen, &found) < 0) {
            printf("refused: %s\n", found.why);
            return 1;
        }
        if (found.contact && found.sigma > (ecp_real)0.05) {
            sum += (double)found.mu;
            used++;
        } else {
            left_out++;
        }
    }
    const double mu = used > 0 ? sum / used : 0;
    printf("mu = %.4f from %d steps that slip, %d left out\n", mu, used, left_out);
    return !(fabs(mu - TRUE_MU) < 1e-3 && used > 10);
}
