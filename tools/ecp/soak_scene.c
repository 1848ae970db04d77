// Random worlds: a body of every kind, on one to three half-spaces, dropped, thrown, resting, pushed.
#include "hull.h"
#include "soak.h"

#include <math.h>
#include <stdlib.h>

const char *const soak_shape_name[SOAK_SHAPES] = { "box", "ellipsoid", "cylinder", "cone", "hull" };
const char *const soak_start_name[SOAK_STARTS] = { "apart", "flush", "on an edge", "on a corner",
                                                   "touching", "penetrating" };

vec soak_random_unit(random_state *r)
{
    for (int i = 0; i < 64; i++) {
        const vec a = { random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1) };
        const double n = vec_norm(a);
        if (n <= 1.0 && n > 0.1) {
            return vec_scale(1.0 / n, a);
        }
    }
    return vec_of(0, 0, 1);
}

static double random_sign(random_state *r)
{
    return random_chance(r, 0.5) ? 1.0 : -1.0;
}

// ---------------------------------------------------------------------------------------------
// shapes

// hull of random points, moved so that its centroid is the origin
static bool random_hull(soak_scene *s, double size)
{
    double points[3 * 12];
    const int count = 4 + random_below(&s->random, SOAK_HULL_POINTS - 3);
    vec shift = { 0, 0, 0 };
    for (int i = 0; i < count; i++) {
        const vec p = vec_scale(size * random_in(&s->random, 0.6, 1.0), soak_random_unit(&s->random));
        points[3 * i] = p.x;
        points[3 * i + 1] = p.y;
        points[3 * i + 2] = p.z;
    }
    // the first pass finds the centroid, the second the facets about it
    for (int pass = 0; pass < 2; pass++) {
        hull h;
        const char *why;
        for (int i = 0; i < count; i++) {
            points[3 * i] -= shift.x;
            points[3 * i + 1] -= shift.y;
            points[3 * i + 2] -= shift.z;
        }
        if (!hull_of_points(&h, points, count, &why)) {
            return false;
        }
        const bool fits = h.plane_count <= ECP_MAX_FACETS && h.vertex_count <= ECP_MAX_VERTICES;
        for (int i = 0; fits && i < h.plane_count; i++) {
            s->planes[i].n = vec_to(vec_of(h.planes[i][0], h.planes[i][1], h.planes[i][2]));
            s->planes[i].d = (ecp_real)h.planes[i][3];
        }
        for (int i = 0; fits && i < h.vertex_count; i++) {
            s->vertices[i] = vec_to(vec_of(h.vertices[i][0], h.vertices[i][1], h.vertices[i][2]));
        }
        s->shape = (ecp_shape)ECP_POLYTOPE(h.plane_count, s->planes, h.vertex_count, s->vertices);
        hull_free(&h);
        ecp_vec3 centroid;
        ecp_real inertia[6];
        if (!fits || ecp_shape_inertia(&s->shape, 1, &centroid, inertia) != ECP_OK) {
            return false;
        }
        shift = vec_from(centroid);
    }
    return true;
}

void soak_random_shape(soak_scene *s, double least, double most)
{
    random_state *r = &s->random;
    const double size = random_scale(r, least, most);
    const ecp_real a = (ecp_real)(size * random_in(r, 0.2, 1.0)), b = (ecp_real)(size * random_in(r, 0.2, 1.0));
    const ecp_real c = (ecp_real)(size * random_in(r, 0.2, 1.0));
    s->kind = (soak_shape)random_below(r, SOAK_SHAPES);
    if (s->kind == SOAK_HULL) {
        for (int i = 0; i < 8; i++) {
            if (random_hull(s, size)) {
                return;
            }
        }
        s->kind = SOAK_BOX;
    }
    switch (s->kind) {
    case SOAK_ELLIPSOID:
        s->shape = (ecp_shape)ECP_ELLIPSOID(a, b, c);
        if (random_chance(r, 0.3)) {
            s->shape = (ecp_shape)ECP_SPHERE(a);
        }
        break;
    case SOAK_CYLINDER: s->shape = (ecp_shape)ECP_CYLINDER(a, b); break;
    case SOAK_CONE: s->shape = (ecp_shape)ECP_CONE(a, b); break;
    default: s->shape = (ecp_shape)ECP_BOX(a, b, c); break;
    }
}

// body-frame direction that shall point down, for each degenerate start
static vec down_direction(soak_scene *s)
{
    random_state *r = &s->random;
    const vec a = vec_from(s->shape.size);
    const bool face = s->start == SOAK_FLUSH;
    const double sx = random_sign(r), sy = random_sign(r), sz = random_sign(r);
    const int axis = random_below(r, 3);
    if (s->start == SOAK_APART || s->start == SOAK_TOUCHING || s->start == SOAK_PENETRATING) {
        return soak_random_unit(r);
    }
    switch (s->kind) {
    case SOAK_BOX:
        if (s->start == SOAK_CORNER) {
            return vec_unit(vec_of(sx, sy, sz));
        }
        if (s->start == SOAK_EDGE) {
            return vec_unit(vec_of(axis == 0 ? 0 : sx, axis == 1 ? 0 : sy, axis == 2 ? 0 : sz));
        }
        return vec_of(axis == 0 ? sx : 0, axis == 1 ? sx : 0, axis == 2 ? sx : 0);
    case SOAK_CYLINDER:
        // base; on the side; balanced over the rim
        return face ? vec_of(0, 0, sz)
                    : (s->start == SOAK_EDGE ? vec_of(sx, 0, 0) : vec_unit(vec_of(a.x, 0, sz * a.z)));
    case SOAK_CONE:
        return face ? vec_of(0, 0, -1)
                    : (s->start == SOAK_EDGE ? vec_unit(vec_of(a.z, 0, a.x)) : vec_of(0, 0, 1));
    case SOAK_HULL: {
        const int i = random_below(r, s->shape.plane_count), k = random_below(r, s->shape.vertex_count);
        return face ? vec_from(s->planes[i].n) : vec_unit(vec_from(s->vertices[k]));
    }
    default: return vec_of(axis == 0, axis == 1, axis == 2);
    }
}

// ---------------------------------------------------------------------------------------------
// half-spaces

static vec random_normal(soak_scene *s, int i)
{
    random_state *r = &s->random;
    const double tilt = random_chance(r, 0.5) ? 0.0 : random_in(r, 0.0, 0.8);
    if (i == 0) {
        return vec_unit(vec_add(vec_of(0, 0, 1), vec_scale(tilt, soak_random_unit(r))));
    }
    // walls: upright and square to each other, or any way; never facing the floor
    vec n = i == 1 ? vec_of(1, 0, 0) : vec_of(0, random_chance(r, 0.7) ? 1 : -1, 0);
    if (random_chance(r, 0.2)) {
        n = vec_scale(random_chance(r, 0.5) && i == 2 ? -1.0 : 1.0, vec_of(1, 0, 0));
    }
    n = vec_unit(vec_add(n, vec_scale(tilt, soak_random_unit(r))));
    return n.z < 0.0 ? vec_of(n.x, n.y, -n.z) : n;
}

static double start_gap(soak_scene *s, int i)
{
    random_state *r = &s->random;
    if (s->start == SOAK_APART) {
        return s->radius * random_in(r, 0.0, 1.0);
    }
    if (s->start == SOAK_PENETRATING && i == 0) {
        return -s->radius * random_scale(r, 1e-3, 5e-2);
    }
    return i == 0 || random_chance(r, 0.5) ? 0.0 : s->radius * random_in(r, 0.0, 0.5);
}

static bool add_plane(soak_scene *s, ecp_world *world, const ecp_state *at, int i)
{
    random_state *r = &s->random;
    soak_contact *c = &s->contact[i];
    const ecp_vec3 n = vec_to(c->n);
    c->offset = shape_gap(&s->shape, vec_from(at->position), at->orientation, c->n, 0.0) - start_gap(s, i);
    s->ground[i] = (ecp_shape)ECP_HALFSPACE(n.x, n.y, n.z, (ecp_real)c->offset);
    c->offset = (double)s->ground[i].offset;
    c->body = i;
    c->swapped = random_chance(r, 0.3);
    c->mu = random_chance(r, 0.1) ? 0.0 : random_in(r, 0.0, random_chance(r, 0.7) ? 1.0 : 2.0);
    const bool round = random_chance(r, 0.6);
    c->e[0] = round ? 1.0 : random_in(r, 0.5, 2.0);
    c->e[1] = round ? 1.0 : random_in(r, 0.5, 2.0);
    c->e[2] = random_chance(r, 0.3) ? 0.0 : s->radius * random_in(r, 0.01, 1.0);
    const ecp_body_def ground = { .kind = ECP_FIXED, .shape = &s->ground[i],
                                  .state = { .orientation = { 1, 0, 0, 0 } } };
    return ecp_add_body(world, &ground, NULL) == ECP_OK;
}

static bool add_contact(soak_scene *s, ecp_world *world, int i)
{
    soak_contact *c = &s->contact[i];
    const ecp_contact_def d = { .a = c->swapped ? i : s->body, .b = c->swapped ? s->body : i,
                                .mu = (ecp_real)c->mu,
                                .e = { (ecp_real)c->e[0], (ecp_real)c->e[1], (ecp_real)c->e[2] } };
    c->mu = (double)d.mu;
    for (int j = 0; j < 3; j++) {
        c->e[j] = (double)d.e[j];
    }
    return ecp_add_contact(world, &d, NULL) == ECP_OK;
}

// ---------------------------------------------------------------------------------------------

static ecp_state random_state_of(soak_scene *s, vec n)
{
    random_state *r = &s->random;
    const vec down = down_direction(s);
    const ecp_quat q = turn_between(down, vec_scale(-1.0, n));
    const double half = random_in(r, -1, 1);
    const vec axis = vec_scale(half, n);
    const ecp_quat spin = { (ecp_real)sqrt(1.0 - half * half), (ecp_real)axis.x, (ecp_real)axis.y, (ecp_real)axis.z };
    ecp_state st = { .orientation = turn_product(spin, q) };
    st.position = vec_to(vec_scale(s->radius * random_in(r, 0, 3), soak_random_unit(r)));
    if (random_chance(r, 0.7)) {
        const double fall = sqrt(9.81 * s->radius);
        st.velocity = vec_to(vec_scale(fall * random_in(r, 0, 2), soak_random_unit(r)));
        st.angular_velocity = vec_to(vec_scale(fall / s->radius * random_in(r, 0, 2), soak_random_unit(r)));
    }
    return st;
}

bool soak_build(soak_scene *s, ecp_world *world, uint64_t seed, uint64_t trial)
{
    *s = (soak_scene){ .random = random_start(seed, trial) };
    random_state *r = &s->random;
    soak_random_shape(s, 0.02, 2.0);
    s->start = (soak_start)random_below(r, SOAK_STARTS);
    s->radius = shape_reach(&s->shape);
    s->mass = (double)(ecp_real)(1000.0 * s->radius * s->radius * s->radius * random_in(r, 0.5, 5.0));
    s->h = (double)(ecp_real)random_scale(r, 1e-4, 0.02);
    s->gravity = vec_from(vec_to(vec_of(0, 0, random_chance(r, 0.9) ? -9.81 : 0.0)));
    const ecp_settings settings = { .gravity = vec_to(s->gravity) };
    ecp_vec3 centroid;
    ecp_real inertia[6];
    if (ecp_world_init(world, &settings) != ECP_OK ||
        ecp_shape_inertia(&s->shape, (ecp_real)s->mass, &centroid, inertia) != ECP_OK) {
        return false;
    }
    const int room = ECP_MAX_CONTACTS < ECP_MAX_BODIES - 1 ? ECP_MAX_CONTACTS : ECP_MAX_BODIES - 1;
    const int most = room < SOAK_MAX_PLANES ? room : SOAK_MAX_PLANES;
    s->contact_count = 1 + random_below(r, most);
    for (int i = 0; i < s->contact_count; i++) {
        s->contact[i].n = vec_from(vec_to(random_normal(s, i)));
    }
    ecp_body_def body = { .kind = ECP_DYNAMIC, .shape = &s->shape, .mass = (ecp_real)s->mass,
                          .state = random_state_of(s, s->contact[0].n) };
    for (int j = 0; j < 6; j++) {
        body.inertia[j] = inertia[j];
        s->inertia[j] = (double)inertia[j];
    }
    for (int i = 0; i < s->contact_count; i++) {
        if (!add_plane(s, world, &body.state, i)) {
            return false;
        }
    }
    if (ecp_add_body(world, &body, &s->body) != ECP_OK) {
        return false;
    }
    for (int i = 0; i < s->contact_count; i++) {
        if (!add_contact(s, world, i)) {
            return false;
        }
    }
    return true;
}

void soak_push(soak_scene *s, ecp_world *world)
{
    random_state *r = &s->random;
    const double weight = s->mass * 9.81;
    s->impulse = s->angular_impulse = vec_of(0, 0, 0);
    if (random_chance(r, 0.03)) {
        const double size = random_chance(r, 0.4) ? 0.0 : weight * random_in(r, 0.0, 2.0);
        s->force = vec_from(vec_to(vec_scale(size, soak_random_unit(r))));
        s->torque = vec_from(vec_to(vec_scale(size * s->radius * random_in(r, 0, 0.5), soak_random_unit(r))));
        (void)ecp_set_wrench(world, s->body, vec_to(s->force), vec_to(s->torque));
    }
    if (random_chance(r, 0.01)) {
        const double size = s->mass * sqrt(9.81 * s->radius) * random_in(r, 0, 1);
        s->impulse = vec_from(vec_to(vec_scale(size, soak_random_unit(r))));
        s->angular_impulse = vec_from(vec_to(vec_scale(0.3 * size * s->radius, soak_random_unit(r))));
        (void)ecp_apply_impulse(world, s->body, vec_to(s->impulse), vec_to(s->angular_impulse));
    }
}
