// The solutions are those of the time-stepping scheme, not of the differential equation, so that a
// correct run agrees to rounding.
#include "analysis.h"

#include <math.h>
#include <string.h>

// the one dynamic body of the scenario
static int mover(const scenario *s)
{
    int i = 0;
    while (i + 1 < s->body_count && s->bodies[i].def.kind != ECP_DYNAMIC) {
        i++;
    }
    return i;
}

// Coulomb's deceleration mu g along the velocity; x_k = x_0 + h (v_1 + ... + v_k)
static double slide_error(const scenario *s, const ecp_world *world, double start, long k)
{
    (void)start;
    const int body = mover(s);
    const ecp_state *first = &s->bodies[body].def.state;
    ecp_state state;
    if (s->contact_count < 1 || ecp_get_state(world, body, &state) < 0) {
        return (double)INFINITY;
    }
    const double vx = (double)first->velocity.x, vy = (double)first->velocity.y;
    const double speed = sqrt(vx * vx + vy * vy);
    const double drop = (double)s->contacts[0].def.mu * -(double)s->settings.gravity.z * s->h;
    const double moving = fmin((double)k, floor(speed / drop));
    const double path = s->h * (moving * speed - drop * moving * (moving + 1.0) / 2.0);
    const double dx = (double)(state.position.x - first->position.x) - path * vx / speed;
    const double dy = (double)(state.position.y - first->position.y) - path * vy / speed;
    return sqrt(dx * dx + dy * dy);
}

// torsional friction mu e_r m g on the inertia 2/5 m r^2, until the spin is used up
static double spin_error(const scenario *s, const ecp_world *world, double start, long k)
{
    (void)start;
    const int body = mover(s);
    const ecp_body_def *def = &s->bodies[body].def;
    ecp_state state;
    if (s->contact_count < 1 || ecp_get_state(world, body, &state) < 0) {
        return (double)INFINITY;
    }
    const ecp_contact_def *contact = &s->contacts[0].def;
    const double r = (double)s->bodies[body].shape.size.x;
    const double drop = (double)contact->mu * (double)contact->e[2] *
                        -(double)s->settings.gravity.z / (0.4 * r * r) * s->h;
    const double w = fmax(0.0, (double)def->state.angular_velocity.z - (double)k * drop);
    return fabs((double)state.angular_velocity.z - w);
}

// rolling without slip loses nothing
static double energy_error(const scenario *s, const ecp_world *world, double start, long k)
{
    (void)s;
    (void)k;
    return fabs((double)ecp_energy(world) - start) / fmax(fabs(start), 1e-30);
}

// bodies that stay in touch and have no reason to turn: height and orientation of the start
static double level_error(const scenario *s, const ecp_world *world, double start, long k)
{
    (void)start;
    (void)k;
    const int body = mover(s);
    ecp_state state;
    if (ecp_get_state(world, body, &state) < 0) {
        return (double)INFINITY;
    }
    const double tilt = sqrt((double)(state.orientation.x * state.orientation.x +
                                      state.orientation.y * state.orientation.y));
    return fmax(tilt, fabs((double)(state.position.z - s->bodies[body].def.state.position.z)));
}

// a cylinder that lies stays at the height of its radius
static double height_error(const scenario *s, const ecp_world *world, double start, long k)
{
    (void)start;
    (void)k;
    const int body = mover(s);
    ecp_state state;
    if (ecp_get_state(world, body, &state) < 0) {
        return (double)INFINITY;
    }
    return fabs((double)(state.position.z - s->bodies[body].def.state.position.z));
}

analysis_error *analysis_find(const char *name)
{
    static const struct {
        const char *name;
        analysis_error *error;
    } known[] = {
        { "cube_slide", slide_error }, { "sphere_spin", spin_error },
        { "disc_roll", energy_error }, { "cylinder_roll", height_error },
        { "desk", level_error },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].error;
        }
    }
    return NULL;
}
