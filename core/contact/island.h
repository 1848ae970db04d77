// island.h - the equations of one moving body and its half-space contacts, in generator form.
//
// Unknowns z = (v, w, and per contact s = (lam or disc x, phat)); rows D (Newton-Euler), N (normal),
// F (friction). Everything of a contact is eliminated onto the 6 x 6 block of its body.
// All quantities nondimensional: lengths L, velocities U, time L/U, mass of the body.
// Layer: contact (knows no solver).  MODEL.md [G1] to [G9].
#ifndef ECP_CONTACT_ISLAND_H
#define ECP_CONTACT_ISLAND_H

#include "math/quat.h"
#include "shape/convex.h"

/// Weight of the slip in the friction rows, unless a rung asks for less.
#define ECP_FRICTION_RHO ECP_R(0.3)

/// One generator that may carry impulse.
typedef struct ecp_point {
    ecp_generator_kind kind;
    int feature;       ///< generator of the shape
    int first, width;  ///< its unknowns in the contact: 1, or 3 for a disc
    ecp_vec3 r_u;      ///< centre from the body origin, start of step
    ecp_vec3 size;     ///< semi-axes; disc: radius in x
    ecp_real gap_u;    ///< gap at the start (disc: of its centre)
    ecp_real q_u;      ///< moving point: its reach below the centre at the start
    ecp_real tilt_u[2];
    ecp_real snap;     ///< target of the gap: 0, the start gap (snap) or the depth left (recovery)
    // at the point of the last evaluate
    ecp_vec3 r;        ///< contact point (disc: centre) from the body origin
    ecp_vec3 E[2];     ///< disc axes times radius
    ecp_real Y[3];     ///< gap - snap and tilts, over tau
    ecp_mat3 G;        ///< dr = G f, f the rotation vector
    ecp_real B[3][3];  ///< inverse of its diagonal block
} ecp_point;

/// One contact of the body with a half-space.
typedef struct ecp_patch {
    int contact;                ///< index in the world
    ecp_vec3 n_u, n, t, o;      ///< normal at the start and the end; tangents
    ecp_vec3 v_R, w_R, W0;      ///< motion of the half-space; body origin from its origin, start
    ecp_real mu, e[3];
    ecp_real mk, mf;            ///< effective masses of the normal and friction rows
    ecp_real rho;               ///< weight of the slip in the friction rows
    int point_count, width;     ///< unknowns of the normal part; friction follows
    ecp_point point[ECP_MAX_GENERATORS];
    // at the point of the last evaluate
    ecp_vec3 S, ra, Pt;         ///< moment arm sum, ECP from the body origin, friction force
    ecp_real px, weight_sum;
    ecp_real vhat[3];
    ecp_real w_k[ECP_MAX_GENERATORS];
    ecp_real D[3][3], dr[3];    ///< derivative of the friction projection
    ecp_real Q[3][ECP_MAX_GENERATORS];
    ecp_real C[3][3];           ///< inverse of the friction block
    ecp_real W[6][ECP_CONTACT_UNKNOWNS];
    ecp_real T[ECP_CONTACT_UNKNOWNS][6];
} ecp_patch;

typedef struct ecp_island {
    void *owner;                ///< the client's: callbacks of the Newton loop see only the island
    ecp_real tau;               ///< h U / L
    ecp_vec3 v_f, w_f;
    ecp_vec3 minv;              ///< per world axis, 0 where locked
    ecp_mat3 Iinv;
    ecp_mat3 R_u;
    ecp_real tolerance, gap_tolerance;
    ecp_real smoothing;         ///< eps of the smoothed normal rows, 0: exact
    bool rates;                 ///< gaps by the velocity at the end of the step, not by the motion over it [G10]
    ecp_real prox_scale, prox_floor;
    int n;                      ///< unknowns
    int patch_count;
    ecp_patch patch[ECP_MAX_CONTACTS];
    // at the point of the last evaluate
    ecp_vec3 v, w, u;
    ecp_mat3 Fm;                ///< rotation vector f = Fm dw
    ecp_real A[36];
    int perm[6];
} ecp_island;

/// Number the unknowns and set the effective masses; call after the patches are filled.
void ecp_island_prepare(ecp_island *island);
/// z from the impulses in z: v, w = free motion + what they do at the start pose.
void ecp_island_velocities(ecp_island *island, ecp_real *z);
/// Velocity that the impulses in z give the body, at the point of the last evaluate.
ecp_vec3 ecp_island_kick(const ecp_island *island, const ecp_real *z);
/// Guess: sweeps of projected Jacobi at the start pose. [G8]
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
