// Random worlds of several moving bodies: heaps on a floor or a block, pushed now and then; and what
// every step of them must keep.
#include "soak.h"

#include <math.h>

#if ECP_REAL_BITS == 32
#define PENETRATION 4e-5
#define PENETRATION_DEGRADED 1e-3
#define BALANCE 2e-3
#define FRICTION 2e-3
#define ROUNDING 1.25e-7
#else
#define PENETRATION 1e-8
#define PENETRATION_DEGRADED 1e-6
#define BALANCE 5e-8
#define FRICTION 5e-8
#define ROUNDING 2.5e-16
#endif

static bool flat(const ecp_shape *s)
{
    return s->kind == ECP_SHAPE_BOX || s->kind == ECP_SHAPE_POLYTOPE || s->kind == ECP_SHAPE_HALFSPACE;
}

static bool ball(const ecp_shape *s)
{
    return s->kind == ECP_SHAPE_ELLIPSOID && !(s->size.x < s->size.y) && !(s->size.x > s->size.y) &&
           !(s->size.y < s->size.z) && !(s->size.y > s->size.z);
}

// pairs of curved bodies are not solved yet: every second body is flat, the others may be curved
static void random_member(soak_heap *s, int i, double least, double most)
{
    soak_scene *b = &s->body[i];
    *b = (soak_scene){ .random = random_start((uint64_t)random_below(&s->random, 1 << 30), (uint64_t)i) };
    for (int k = 0; k < 20; k++) {
        soak_random_shape(b, least, most);
        bool fits = true;
        for (int j = 0; j < i; j++) {
            const ecp_shape *other = &s->body[j].shape;
            fits = fits && (flat(&b->shape) || flat(other) || (ball(&b->shape) && ball(other)));
        }
        if (fits) {
            break;
        }
        b->shape = (ecp_shape)ECP_BOX((ecp_real)most, (ecp_real)(0.7 * most), (ecp_real)(0.5 * most));
    }
    b->radius = shape_reach(&b->shape);
    b->mass = (double)(ecp_real)(1000.0 * b->radius * b->radius * b->radius * random_in(&s->random, 0.5, 5.0));
}

static bool add_member(soak_heap *s, ecp_world *world, int i, double *top)
{
    random_state *r = &s->random;
    soak_scene *b = &s->body[i];
    const vec up = { 0, 0, 1 }, down = { 0, 0, -1 }, zero = { 0, 0, 0 };
    ecp_state st = { .orientation = { 1, 0, 0, 0 } };
    if (random_chance(r, 0.5)) {
        st.orientation = turn_between(soak_random_unit(r), down);
    }
    // set down on what is below, or dropped from a little above; a little beside its middle
    const double gap = random_chance(r, 0.5) ? 0.0 : b->radius * random_in(r, 0.0, 0.3);
    const double low = shape_gap(&b->shape, zero, st.orientation, up, 0.0);
    const double high = -shape_gap(&b->shape, zero, st.orientation, down, 0.0);
    st.position = vec_to(vec_of(b->radius * random_in(r, -0.4, 0.4), b->radius * random_in(r, -0.4, 0.4),
                                *top - low + gap));
    *top = (double)st.position.z + high;
    if (random_chance(r, 0.3)) {
        const double fall = sqrt(9.81 * b->radius);
        st.velocity = vec_to(vec_scale(fall * random_in(r, 0, 1), soak_random_unit(r)));
        st.angular_velocity = vec_to(vec_scale(fall / b->radius * random_in(r, 0, 1), soak_random_unit(r)));
    }
    ecp_body_def d = { .kind = ECP_DYNAMIC, .shape = &b->shape, .mass = (ecp_real)b->mass, .state = st };
    ecp_vec3 centroid;
    if (ecp_shape_inertia(&b->shape, d.mass, &centroid, d.inertia) != ECP_OK) {
        return false;
    }
    for (int j = 0; j < 6; j++) {
        b->inertia[j] = (double)d.inertia[j];
    }
    return ecp_add_body(world, &d, &b->body) == ECP_OK;
}

static bool add_pair(soak_heap *s, ecp_world *world, int a, int b)
{
    random_state *r = &s->random;
    const int k = s->contact_count;
    if (k >= ECP_MAX_CONTACTS || k >= SOAK_MAX_PAIRS) {
        return true;
    }
    const bool swapped = random_chance(r, 0.3);
    const double radius = s->body[a - 1].radius;
    s->a[k] = swapped ? b : a;
    s->b[k] = swapped ? a : b;
    s->mu[k] = (double)(ecp_real)(random_chance(r, 0.1) ? 0.0 : random_in(r, 0.0, random_chance(r, 0.8) ? 1.0 : 1.5));
    s->e[k][0] = s->e[k][1] = 1.0;
    s->e[k][2] = (double)(ecp_real)(random_chance(r, 0.3) ? 0.0 : radius * random_in(r, 0.01, 0.5));
    const ecp_contact_def d = { .a = s->a[k], .b = s->b[k], .mu = (ecp_real)s->mu[k],
                                .e = { 1, 1, (ecp_real)s->e[k][2] } };
    s->contact_count++;
    return ecp_add_contact(world, &d, NULL) == ECP_OK;
}

bool soak_heap_build(soak_heap *s, ecp_world *world, int bodies, uint64_t seed, uint64_t trial)
{
    *s = (soak_heap){ .random = random_start(seed ^ UINT64_C(0x9e3779b97f4a7c15), trial), .count = bodies };
    random_state *r = &s->random;
    const double size = random_scale(r, 0.05, 1.0), spread = random_chance(r, 0.7) ? 2.0 : 10.0;
    s->h = (double)(ecp_real)random_scale(r, 5e-4, 0.01);
    s->gravity = vec_from(vec_to(vec_of(0, 0, -9.81)));
    const ecp_settings settings = { .gravity = vec_to(s->gravity) };
    const bool block = random_chance(r, 0.3);
    s->ground = block ? (ecp_shape)ECP_BOX((ecp_real)(2 * size), (ecp_real)(2 * size), (ecp_real)size)
                      : (ecp_shape)ECP_HALFSPACE(0, 0, 1, 0);
    ecp_body_def ground = { .kind = ECP_FIXED, .shape = &s->ground, .state = { .orientation = { 1, 0, 0, 0 } } };
    ground.state.position.z = block ? -s->ground.size.z : 0;
    double top = 0.0;
    if (ecp_world_init(world, &settings) != ECP_OK || ecp_add_body(world, &ground, NULL) != ECP_OK) {
        return false;
    }
    for (int i = 0; i < bodies; i++) {
        random_member(s, i, size / spread, size);
        if (!add_member(s, world, i, &top)) {
            return false;
        }
    }
    // those that touch at the start come first, should there be no room for all
    for (int apart = 1; apart <= bodies; apart++) {
        for (int i = apart; i <= bodies; i++) {
            if (!add_pair(s, world, i, i - apart)) {
                return false;
            }
        }
    }
    return true;
}

void soak_heap_push(soak_heap *s, ecp_world *world)
{
    for (int i = 0; i < s->count; i++) {
        soak_push(&s->body[i], world);
    }
}

// ---------------------------------------------------------------------------------------------

static soak_fault at_most(const char *what, double value, double limit)
{
    return value <= limit ? (soak_fault){ NULL, 0.0, 0.0 } : (soak_fault){ what, value, limit };
}

// bodies of a contact: the ground has no scene of its own
static double least_radius(const soak_heap *s, int k)
{
    const double a = s->a[k] > 0 ? s->body[s->a[k] - 1].radius : 1e300;
    return fmin(a, s->b[k] > 0 ? s->body[s->b[k] - 1].radius : 1e300);
}

static double largest_mass(const soak_heap *s)
{
    double m = 0.0;
    for (int i = 0; i < s->count; i++) {
        m = fmax(m, s->body[i].mass);
    }
    return m;
}

// speed and size of the world: what its solver is judged by
static double scale_of(const soak_heap *s, const ecp_state *before, double *L)
{
    double U = s->h * vec_norm(s->gravity);
    *L = 0.0;
    for (int i = 0; i < s->count; i++) {
        *L = fmax(*L, s->body[i].radius);
    }
    for (int i = 0; i < s->count; i++) {
        const soak_scene *b = &s->body[i];
        const double push = (vec_norm(b->impulse) + s->h * vec_norm(b->force)) / b->mass;
        U = fmax(U, push + s->h * 9.81 + vec_norm(vec_from(before[i + 1].velocity)) +
                        *L * vec_norm(vec_from(before[i + 1].angular_velocity)));
    }
    return U;
}

static soak_fault check_contact(const soak_heap *s, int k, const ecp_report *start, const ecp_report *r,
                                double U, double far)
{
    const ecp_contact_report *c = &r->contact[k];
    const double radius = least_radius(s, k), unit = largest_mass(s) * U;
    const double slack = (r->status == ECP_DEGRADED ? PENETRATION_DEGRADED : PENETRATION) + far / radius * ROUNDING * 4.0;
    const double least = fmin(0.0, (double)start->contact[k].gap);
    soak_fault f = at_most("penetration", (least - (double)c->gap) / radius, slack);
    if (f.what == NULL) {
        f = at_most("pull instead of push", -(double)c->pn / unit, 0.0);
    }
    const double er = s->e[k][2] > 0.0 ? s->e[k][2] : 1.0;
    const double size = sqrt((double)c->pt * (double)c->pt + (double)c->po * (double)c->po +
                             (double)c->pr * (double)c->pr / (er * er));
    if (f.what == NULL) {
        f = at_most("friction outside the ellipsoid", (size - s->mu[k] * (double)c->pn) / unit, FRICTION);
    }
    if (f.what == NULL && r->status == ECP_OK && c->mode != ECP_OPEN) {
        f = at_most("impulse at a distance", (double)c->gap / radius, ECP_REAL_BITS == 32 ? 2e-4 : 1e-7);
    }
    return f;
}

// m (v' - v) against loads and reported impulses, in units of M U
static soak_fault check_balance(const soak_heap *s, int i, const ecp_world *world, const ecp_state *before,
                                const ecp_report *r, double U)
{
    const soak_scene *b = &s->body[i];
    ecp_state v;
    (void)ecp_get_state(world, i + 1, &v);
    vec dp = vec_scale(b->mass, vec_sub(vec_from(v.velocity), vec_from(before[i + 1].velocity)));
    dp = vec_sub(dp, vec_add(vec_scale(s->h, vec_add(b->force, vec_scale(b->mass, s->gravity))), b->impulse));
    for (int k = 0; k < s->contact_count; k++) {
        const ecp_contact_report *c = &r->contact[k];
        const double sign = s->a[k] == i + 1 ? 1.0 : (s->b[k] == i + 1 ? -1.0 : 0.0);
        const vec n = vec_from(c->n), t = vec_from(c->t);
        dp = vec_sub(dp, vec_scale(sign, vec_add(vec_scale((double)c->pn, n),
                                                 vec_add(vec_scale((double)c->pt, t),
                                                         vec_scale((double)c->po, vec_cross(n, t))))));
    }
    return at_most("force balance", vec_norm(dp) / (largest_mass(s) * U), BALANCE);
}

soak_fault soak_heap_check(const soak_heap *s, const ecp_world *world, const ecp_state *before,
                           const ecp_report *start, const ecp_report *r)
{
    double L, far = 0.0;
    const double U = scale_of(s, before, &L);
    for (int i = 1; i <= s->count; i++) {
        ecp_state v;
        (void)ecp_get_state(world, i, &v);
        const double sum = vec_norm(vec_from(v.position)) + vec_norm(vec_from(v.velocity)) +
                           vec_norm(vec_from(v.angular_velocity)) + (double)v.orientation.w;
        if (!isfinite(sum)) {
            return (soak_fault){ "state not finite", 1.0, 0.0 };
        }
        far = fmax(far, vec_norm(vec_from(v.position)) + s->body[i - 1].radius);
    }
    soak_fault f = at_most("iterations", r->iterations, ECP_MAX_ITERATIONS);
    for (int k = 0; k < s->contact_count && f.what == NULL; k++) {
        f = check_contact(s, k, start, r, U, far);
    }
    for (int i = 0; i < s->count && f.what == NULL && r->status == ECP_OK; i++) {
        f = check_balance(s, i, world, before, r, U);
    }
    return f;
}
