// soak.h - random one-body worlds and the properties every step of them must have.
#ifndef ECP_TOOL_SOAK_H
#define ECP_TOOL_SOAK_H

#include "geometry.h"
#include "random.h"

#define SOAK_MAX_PLANES 3
/// Points a random hull is made of; its facets fit every profile.
#define SOAK_HULL_POINTS (ECP_MAX_FACETS >= 24 ? 12 : 6)

typedef enum soak_shape { SOAK_BOX, SOAK_ELLIPSOID, SOAK_CYLINDER, SOAK_CONE, SOAK_HULL, SOAK_SHAPES } soak_shape;
typedef enum soak_start {
    SOAK_APART,
    SOAK_FLUSH,        ///< a face, a base or a generator line of the shape lies on the first plane
    SOAK_EDGE,
    SOAK_CORNER,
    SOAK_TOUCHING,     ///< any orientation, gap zero
    SOAK_PENETRATING,  ///< by 0.1 % to 5 % of the radius
    SOAK_STARTS
} soak_start;

extern const char *const soak_shape_name[SOAK_SHAPES];
extern const char *const soak_start_name[SOAK_STARTS];

typedef struct soak_contact {
    int body;        ///< id of the half-space
    bool swapped;    ///< the half-space is body A
    vec n;
    double offset, mu, e[3];
} soak_contact;

/// One random world with what the checks need to know of it. Body ids: planes first, then the body.
typedef struct soak_scene {
    soak_shape kind;
    soak_start start;
    ecp_shape shape;
    ecp_plane planes[ECP_MAX_FACETS];
    ecp_vec3 vertices[ECP_MAX_VERTICES];
    ecp_shape ground[SOAK_MAX_PLANES];
    soak_contact contact[SOAK_MAX_PLANES];
    int contact_count, body;
    double h, mass, radius, inertia[6];
    vec gravity, force, torque;     ///< loads held through the next step
    vec impulse, angular_impulse;   ///< in the next step only
    random_state random;
} soak_scene;

/// Build trial number `trial` of a seed. False: the library refused its own random world.
bool soak_build(soak_scene *s, ecp_world *world, uint64_t seed, uint64_t trial);
/// A random shape between two sizes, drawn from s->random; shared by worlds of several bodies.
void soak_random_shape(soak_scene *s, double least, double most);
vec soak_random_unit(random_state *r);
/// Change the loads before a step, now and then.
void soak_push(soak_scene *s, ecp_world *world);

/// What a step left wrong; what == NULL: nothing.
typedef struct soak_fault {
    const char *what;
    double value, limit;
} soak_fault;

/// Check the step from `before` to the world's state with the report of that step.
soak_fault soak_check(const soak_scene *s, const ecp_world *world, const ecp_state *before,
                      const ecp_report *report);
/// Angle by which the body would turn in the next step without contact, rad: h |w_f|.
double soak_turn(const soak_scene *s, const ecp_state *before);
/// Deepest penetration of the scene's body, in radii (0: none).
double soak_depth(const soak_scene *s, const ecp_state *state);


#define SOAK_MAX_BODIES 5
#define SOAK_MAX_PAIRS (SOAK_MAX_BODIES * (SOAK_MAX_BODIES + 1) / 2)

/// A random heap: two to five bodies on a floor or a block, over and beside one another. Body 0 is the ground.
typedef struct soak_heap {
    soak_scene body[SOAK_MAX_BODIES];   ///< shape, mass, inertia and loads of each
    int count, contact_count;
    int a[SOAK_MAX_PAIRS], b[SOAK_MAX_PAIRS];  ///< bodies of the contacts
    double mu[SOAK_MAX_PAIRS], e[SOAK_MAX_PAIRS][3];
    ecp_shape ground;
    double h;
    vec gravity;
    random_state random;
} soak_heap;

bool soak_heap_build(soak_heap *s, ecp_world *world, int bodies, uint64_t seed, uint64_t trial);
void soak_heap_push(soak_heap *s, ecp_world *world);
/// Check the step from the states `before` (of all bodies) to the world's with its report.
soak_fault soak_heap_check(const soak_heap *s, const ecp_world *world, const ecp_state *before,
                           const ecp_report *start, const ecp_report *report);

#endif
