// island.h - the equations of an island of bodies and the contacts between them, in generator form.
//
// A contact has an incident body I, whose generators carry the normal impulses, and a reference body R,
// which gives one face with at most four side planes (a half-space: a face without sides), or a sphere.
// Unknowns z: (v, w) of every moving body, then per contact s = (lam or disc x, eta, phat). Rows in the
// same order: D (Newton-Euler), N (normal), S (sides), F (friction). Everything of a contact is
// eliminated onto the 6 x 6 blocks of its two bodies.
// All quantities nondimensional: lengths L, velocities U, time L/U, one mass for the island.
// Layer: contact (knows no solver).  MODEL.md [G1] to [G12].
#ifndef ECP_CONTACT_ISLAND_H
#define ECP_CONTACT_ISLAND_H

#include "math/quat.h"
#include "shape/convex.h"

/// Weight of the slip in the friction rows, unless a rung asks for less.
#define ECP_FRICTION_RHO ECP_R(0.3)
/// A body of the island. Fixed and kinematic ones have slot -1 and no inverse mass.
typedef struct ecp_island_body {
    int world;                  ///< index in the world
    int slot;                   ///< its unknowns are z[6 slot ...]; -1: prescribed motion
    int patches;                ///< contacts it takes part in
    ecp_vec3 v_f, w_f;          ///< free motion, or the motion prescribed
    ecp_vec3 minv;              ///< per world axis, 0 where locked
    ecp_mat3 Iinv;
    ecp_mat3 R_u;
    // at the point of the last evaluate
    ecp_vec3 v, w, u;
    ecp_vec3 force, moment;     ///< of all contacts
    ecp_real active;            ///< points that press or are about to, of all its contacts (sweeps)
    ecp_mat3 Fm;                ///< rotation vector f = Fm dw
} ecp_island_body;

/// One generator that may carry impulse.
typedef struct ecp_point {
    int16_t feature;   ///< generator of the shape
    uint8_t kind;      ///< ecp_generator_kind
    uint8_t first, width;  ///< its unknowns in the contact: 1, or 3 for a disc
    ecp_vec3 r_u;      ///< centre from the body origin, start of step
    ecp_real gap_u;    ///< gap to the face at the start (disc: of its centre)
    ecp_real snap;     ///< target of the gap: 0, the start gap (snap) or the depth left (recovery)
    // at the point of the last evaluate
    ecp_vec3 r;        ///< contact point (disc: centre) from the body origin
    ecp_real y;        ///< gap - snap, over tau
    ecp_real side[ECP_MAX_SIDES];  ///< distance of the contact point outside the side planes
    ecp_real inverse;  ///< of its diagonal block
} ecp_point;

/// What a disc or a moving point has besides. A shape that has them has two generators at most.
typedef struct ecp_curve {
    ecp_vec3 size;     ///< semi-axes; disc: radius in x
    ecp_real q_u;      ///< moving point: its reach below the centre at the start
    ecp_real tilt_u[2];
    // at the point of the last evaluate
    union {
        struct {               // disc
            ecp_vec3 E[2];     ///< axes times radius
            ecp_real tilt[2];  ///< over tau
            ecp_real B[3][3];  ///< inverse of its diagonal block
        };
        struct {               // moving point: dr = G f + H dN, f the rotation vector of its body
            ecp_mat3 G, H;
        };
    };
} ecp_curve;

/// One contact.
typedef struct ecp_patch {
    int contact;                ///< index in the world
    int I, R;                   ///< bodies of the island: incident, reference
    bool round;                 ///< the reference is a sphere: N along the line of the centres [G12]
    ecp_vec3 n_u;               ///< face normal at the start
    ecp_vec3 axis;              ///< t is its projection
    ecp_vec3 W0_u;              ///< origin of I from that of R, start
    int side_count;
    int side[ECP_MAX_SIDES];    ///< facets of the reference
    ecp_vec3 b_u[ECP_MAX_SIDES];
    ecp_real d[ECP_MAX_SIDES];  ///< inside where b.W <= d
    ecp_real eta_u[ECP_MAX_SIDES];  ///< tilt to start from
    ecp_real mu, e[3];
    ecp_real mk, mf;            ///< effective masses of the normal and friction rows
    ecp_real rho;               ///< weight of the slip in the friction rows
    int point_count, width;     ///< unknowns of the normal part; sides and friction follow
    ecp_point point[ECP_MAX_GENERATORS];
    ecp_curve curve[2];         ///< of points 0 and 1 where they are no vertices
    // at the point of the last evaluate
    ecp_vec3 n, t, o;           ///< contact normal, tangents
    ecp_vec3 turn;              ///< face normal since the start
    ecp_vec3 db[ECP_MAX_SIDES]; ///< side normals since the start
    ecp_real length, stretch;   ///< |n_l + sum eta b|, and its square - 1; sphere: distance of the centres
    ecp_real reach;             ///< length of the projection of axis
    ecp_vec3 W0;
    ecp_vec3 S, ra, rb, Pt;     ///< moment arm sum, ECP from the origins of I and R, friction force
    ecp_vec3 vc;                ///< relative velocity at the ECP
    ecp_real px, weight_sum;
    ecp_real slack[ECP_MAX_SIDES];
    ecp_real vhat[3];
    ecp_real w_k[ECP_MAX_GENERATORS];
    ecp_real BA[ECP_MAX_GENERATORS][ECP_MAX_SIDES];
    ecp_real Ls[ECP_MAX_SIDES][ECP_MAX_GENERATORS];
    ecp_real Ce[ECP_MAX_SIDES * ECP_MAX_SIDES];  ///< factors of the block of the sides
    int perm[ECP_MAX_SIDES];
    ecp_real Q[3][ECP_MAX_GENERATORS + ECP_MAX_SIDES];
    ecp_real C[3][3];           ///< inverse of the friction block
    ecp_real W[6][ECP_CONTACT_UNKNOWNS];
    ecp_real T[ECP_CONTACT_UNKNOWNS][ECP_CONTACT_COLUMNS];
} ecp_patch;

typedef struct ecp_island {
    void *owner;                ///< the client's: callbacks of the Newton loop see only the island
    ecp_real tau;               ///< h U / L
    ecp_real tolerance, gap_tolerance;
    ecp_real smoothing;         ///< eps of the smoothed normal rows, 0: exact
    bool rates;                 ///< gaps by the velocity at the end of the step, not by the motion over it [G10]
    ecp_real prox_scale, prox_floor;
    int n;                      ///< unknowns
    int body_count, moving_count, patch_count;
    ecp_island_body body[ECP_MAX_BODIES];
    ecp_patch patch[ECP_MAX_CONTACTS];
    ecp_real A[ECP_MAX_MOVING * ECP_MAX_MOVING][36];   ///< blocks, row by row
    bool coupled[ECP_MAX_MOVING * ECP_MAX_MOVING];     ///< blocks that are not zero
    int perm[ECP_MAX_MOVING][6];
} ecp_island;

/// Bodies with unknown velocities, known where there can be but one.
static inline int ecp_island_moving(const ecp_island *is)
{
    return ECP_MAX_MOVING > 1 ? is->moving_count : 1;
}
/// Velocities a contact may depend on: of I, then of R, which is prescribed where it can only be a half-space.
#define ECP_PATCH_SPAN (ECP_WITH_PAIRS ? 12 : 6)

/// Sides of the reference; none where contact between bounded bodies is switched off.
static inline int ecp_patch_sides(const ecp_patch *c)
{
    return ECP_WITH_PAIRS ? c->side_count : 0;
}
/// Whether the reference is a sphere.
static inline bool ecp_patch_round(const ecp_patch *c)
{
    return ECP_WITH_PAIRS && c->round;
}
/// Side normal j at the point of the last evaluate.
static inline ecp_vec3 ecp_patch_side(const ecp_patch *c, int j)
{
    return ecp_v3_add(c->b_u[j], c->db[j]);
}
/// Curved part of a point of the contact that is no vertex.
static inline const ecp_curve *ecp_patch_curve(const ecp_patch *c, const ecp_point *p)
{
    const ptrdiff_t k = p - c->point;
    return &c->curve[k < 2 ? k : 0];
}
/// Unknowns of one contact: normal impulses, sides, friction.
static inline int ecp_patch_size(const ecp_patch *c)
{
    return c->width + ecp_patch_sides(c) + 3;
}
/// Where phat begins among the unknowns of a contact.
static inline int ecp_patch_friction(const ecp_patch *c)
{
    return c->width + ecp_patch_sides(c);
}
/// Where the contacts begin in z.
static inline int ecp_island_first(const ecp_island *is)
{
    return 6 * ecp_island_moving(is);
}

/// Number the unknowns and set the effective masses; call after bodies and patches are filled.
void ecp_island_prepare(ecp_island *island);
/// Velocities in z from the impulses and eta in z: free motion + what they do at the start pose.
void ecp_island_start(ecp_island *island, ecp_real *z);
/// Velocity that the impulses in z give a body, at the point of the last evaluate.
ecp_vec3 ecp_island_kick(const ecp_island *island, int body);
/// Guess: sweeps of projected Jacobi at the start pose, with the eta in z. [G8]
void ecp_island_sweep(ecp_island *island, ecp_real *z, int sweeps);

/// Friction back inside the ellipsoids of the normal impulses in z, and the velocities that gives.
void ecp_island_clip(ecp_island *island, ecp_real *z);
/// Weigh the slip no more than the friction the impulses in z can give: a body that turns about its
/// ECP sticks only where |phat/mf - rho vhat| is inside the ball, which rho = 0.3 makes tiny. [G8]
void ecp_island_soften(ecp_island *island, const ecp_real *z);

bool ecp_island_evaluate(void *ctx, const ecp_real *z, ecp_real *F, ecp_real *natural);
bool ecp_island_factor(void *ctx, const ecp_real *z, ecp_real norm_F);
void ecp_island_direction(void *ctx, const ecp_real *F, ecp_real *dz);
/// Smoothing: eps times 0.2 when |F| <= 3 eps, then off.
bool ecp_island_adapt(void *ctx, const ecp_real *z, ecp_real norm_F);

#endif
