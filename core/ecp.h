// ecp.h - ecpredict: predicts how rigid bodies move while they touch.
//
// The public header and the manual of the library. Units are SI (m, kg, s, rad, N s). Quaternions
// are (w, x, y, z), body to world, unit length. Positions, velocities and angular velocities are
// in the world frame. The origin of a body is its centre of mass.
//
// Memory: everything lives in structs that the caller places; sizeof(ecp_world) is the RAM budget.
// A world is plain data: copying it copies the simulation. There is no global state, so two worlds
// may run in two threads or at two interrupt levels; one world must not be used by two at once.
// Shapes are constant data outside the world (flash on a target) and must outlive it.
//
// Threads and interrupts: functions that take a const ecp_world only read it, so several may run at
// once on one world while nothing changes it; everything else needs the world for itself. Nothing
// blocks, locks or waits, and nothing is called but the callbacks you give. An interrupt may step its
// own world whatever it interrupts; to pass results across, copy an ecp_state or ecp_report under
// your own lock.
//
// Errors: every function that can fail returns ecp_status. Negative: refused, nothing changed, and
// ecp_error() says which argument or limit was the cause. Zero or positive: done. Null pointers are
// refused with ECP_E_ARG everywhere. A world must have been through ecp_world_init before any other
// call; what it holds before that does not matter.
//
// Cost: one call of ecp_step or ecp_rollout is where the time goes; it is bounded by
// ECP_MAX_ITERATIONS a step. "Fixed" below means a few hundred instructions at most, with no loop
// longer than three. No function needs more stack than a few kilobytes plus 2 x ECP_MAX_FACETS
// vectors. The same calls give the same bits on every machine that keeps to IEEE 754.
//
// Order of use: ecp_world_init, ecp_add_body, ecp_add_contact; then ecp_step, with any of the calls
// of "Between steps" before it. GUIDE.md beside this file says which values to choose.
#ifndef ECP_H
#define ECP_H

#include "ecp_config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ECP_VERSION_MAJOR 0
#define ECP_VERSION_MINOR 1
#define ECP_VERSION_PATCH 0

#if ECP_REAL_BITS == 32
typedef float ecp_real;
#else
typedef double ecp_real;
#endif

// ---------------------------------------------------------------------------------------------
// A caller and a library built for different real types or limits must not link: public names
// carry the real type, and the first call of every program carries all limits.
#define ECP_PASTE_(a, b) a##b
#define ECP_PASTE(a, b) ECP_PASTE_(a, b)
#if ECP_REAL_BITS == 32
#define ECP_TYPED(name) ECP_PASTE(name, _f32)
#else
#define ECP_TYPED(name) ECP_PASTE(name, _f64)
#endif
#define ECP_LAYOUT_(name, b, v, c, f, p, i, s, t, l, d, j, w, m, k) \
    name##_b##b##_v##v##_c##c##_f##f##_p##p##_i##i##_s##s##_t##t##_l##l##_d##d##_j##j##_w##w##_m##m##_k##k
#define ECP_LAYOUT(name, b, v, c, f, p, i, s, t, l, d, j, w, m, k) \
    ECP_LAYOUT_(name, b, v, c, f, p, i, s, t, l, d, j, w, m, k)
#define ecp_world_init                                                                           \
    ECP_LAYOUT(ECP_TYPED(ecp_world_init), ECP_MAX_BODIES, ECP_MAX_MOVING, ECP_MAX_CONTACTS, ECP_MAX_FACETS, \
               ECP_MAX_PIECES, ECP_MAX_ITERATIONS, ECP_MAX_SUBSTEPS, ECP_WITH_TREE,              \
               ECP_MAX_LINKS, ECP_MAX_DOF, ECP_MAX_JOINTS, ECP_WITH_POINTS, ECP_MAX_POINTS,      \
               ECP_MAX_DIRECTIONS)
#define ecp_add_body ECP_TYPED(ecp_add_body)
#define ecp_add_contact ECP_TYPED(ecp_add_contact)
#define ecp_set_state ECP_TYPED(ecp_set_state)
#define ecp_get_state ECP_TYPED(ecp_get_state)
#define ecp_set_wrench ECP_TYPED(ecp_set_wrench)
#define ecp_apply_impulse ECP_TYPED(ecp_apply_impulse)
#define ecp_set_friction ECP_TYPED(ecp_set_friction)
#define ecp_set_mass ECP_TYPED(ecp_set_mass)
#define ecp_step ECP_TYPED(ecp_step)
#define ecp_observe ECP_TYPED(ecp_observe)
#define ecp_energy ECP_TYPED(ecp_energy)
#define ecp_rollout ECP_TYPED(ecp_rollout)
#define ecp_inverse ECP_TYPED(ecp_inverse)
#define ecp_save ECP_TYPED(ecp_save)
#define ecp_restore ECP_TYPED(ecp_restore)
#define ecp_shape_check ECP_TYPED(ecp_shape_check)
#define ecp_shape_inertia ECP_TYPED(ecp_shape_inertia)

// ---------------------------------------------------------------------------------------------
// Status

typedef enum ecp_status {
    ECP_OK = 0,           ///< converged to the tolerance
    ECP_DEGRADED = 1,     ///< committed from the bounded fallback: finite, not penetrating further
    ECP_DEADLINE = 2,     ///< a rollout stopped at its time budget; its steps are valid
    ECP_SUBSTEPPED = 3,   ///< converged to the tolerance, in several equal substeps
    ECP_E_ARG = -1,       ///< null pointer, unknown id, non-finite or out-of-range argument
    ECP_E_LIMIT = -2,     ///< a compile-time limit is too small; ecp_error names it
    ECP_E_SHAPE = -3,     ///< empty, unbounded or malformed shape
    ECP_E_MASS = -4,      ///< mass or inertia not positive definite, or not that of a rigid body
    ECP_E_STATE = -5,     ///< pose or velocity not finite, quaternion not unit, or too fast for h
    ECP_E_DIVERGED = -6   ///< no valid step was found; the world still holds the old state
} ecp_status;

/// Name of a status, "ECP_OK" and so on; "unknown status" for any other number.
const char *ecp_status_name(ecp_status status);
/// "0.1.0".
const char *ecp_version(void);

// ---------------------------------------------------------------------------------------------
// Values

typedef struct ecp_vec3 {
    ecp_real x, y, z;
} ecp_vec3;

typedef struct ecp_quat {
    ecp_real w, x, y, z;
} ecp_quat;

/// n.y <= d in the body frame, n of unit length, pointing out of the shape.
typedef struct ecp_plane {
    ecp_vec3 n;
    ecp_real d;
} ecp_plane;

/// Pose and velocity of a body.
typedef struct ecp_state {
    ecp_vec3 position;          ///< m
    ecp_quat orientation;       ///< body to world
    ecp_vec3 velocity;          ///< m/s, of the centre of mass
    ecp_vec3 angular_velocity;  ///< rad/s, world frame
} ecp_state;

// ---------------------------------------------------------------------------------------------
// Shapes

typedef enum ecp_shape_kind {
    ECP_SHAPE_HALFSPACE = 1,  ///< solid where n.y <= d; free where n.y >= d
    ECP_SHAPE_BOX,
    ECP_SHAPE_ELLIPSOID,      ///< a sphere is the case of equal semi-axes
    ECP_SHAPE_CYLINDER,       ///< axis = body z, origin in the middle
    ECP_SHAPE_CONE,           ///< axis = body z, apex at +3/4 height, base at -1/4
    ECP_SHAPE_POLYTOPE        ///< planes and the vertices they bound
} ecp_shape_kind;

/// A convex shape in the body frame. Fill it with one of the macros below.
typedef struct ecp_shape {
    ecp_shape_kind kind;
    ecp_vec3 size;             ///< box half extents; semi-axes; cylinder (r, r, length/2);
                               ///< cone (r, r, height); half-space: outward unit normal
    ecp_real offset;           ///< half-space: n.y >= offset is free
    int plane_count;           ///< polytope; at most ECP_MAX_FACETS
    int vertex_count;          ///< polytope; at most ECP_MAX_VERTICES
    const ecp_plane *planes;
    const ecp_vec3 *vertices;
} ecp_shape;

// clang-format off
#define ECP_HALFSPACE(nx, ny, nz, d)   { ECP_SHAPE_HALFSPACE, { (nx), (ny), (nz) }, (d), 0, 0, NULL, NULL }
#define ECP_BOX(sx, sy, sz)            { ECP_SHAPE_BOX, { (sx) / (ecp_real)2, (sy) / (ecp_real)2, (sz) / (ecp_real)2 }, 0, 0, 0, NULL, NULL }
#define ECP_SPHERE(r)                  { ECP_SHAPE_ELLIPSOID, { (r), (r), (r) }, 0, 0, 0, NULL, NULL }
#define ECP_ELLIPSOID(a, b, c)         { ECP_SHAPE_ELLIPSOID, { (a), (b), (c) }, 0, 0, 0, NULL, NULL }
#define ECP_CYLINDER(r, length)        { ECP_SHAPE_CYLINDER, { (r), (r), (length) / (ecp_real)2 }, 0, 0, 0, NULL, NULL }
#define ECP_CONE(r, height)            { ECP_SHAPE_CONE, { (r), (r), (height) }, 0, 0, 0, NULL, NULL }
#define ECP_POLYTOPE(np, p, nv, v)     { ECP_SHAPE_POLYTOPE, { 0, 0, 0 }, 0, (np), (nv), (p), (v) }
// clang-format on

/// Validate a shape: sizes positive and finite; a polytope's planes of unit normal, every vertex on
/// at least three planes and beyond none, every edge shared by two facets (so closed and bounded),
/// the origin inside. ECP_E_SHAPE or ECP_E_LIMIT; *why (may be NULL) gets the reason.
ecp_status ecp_shape_check(const ecp_shape *shape, const char **why);

/// Uniform-density properties of a bounded shape of the given mass: centroid in the body frame and
/// inertia xx, yy, zz, xy, xz, yz about the body origin. Cost: O(facets x vertices) for a polytope.
ecp_status ecp_shape_inertia(const ecp_shape *shape, ecp_real mass, ecp_vec3 *centroid,
                             ecp_real inertia[6]);

// ---------------------------------------------------------------------------------------------
// Describing a world

typedef struct ecp_settings {
    ecp_vec3 gravity;         ///< m/s^2
    ecp_real tolerance;       ///< nondimensional residual, 1e-12 to 1e-2; 0: default (1e-11, float 1e-5)
    ecp_real recovery_speed;  ///< radii per second at which a penetrating start recovers; 0: default 0.1
} ecp_settings;

typedef enum ecp_body_kind {
    ECP_FIXED = 1,
    ECP_KINEMATIC,  ///< moves with its given velocity, whatever touches it
    ECP_DYNAMIC
} ecp_body_kind;

/// Bits of ecp_body_def.lock: world axes along (X Y Z) or about (RX RY RZ) which a body cannot move.
enum { ECP_LOCK_X = 1, ECP_LOCK_Y = 2, ECP_LOCK_Z = 4, ECP_LOCK_RX = 8, ECP_LOCK_RY = 16, ECP_LOCK_RZ = 32 };

typedef struct ecp_body_def {
    ecp_body_kind kind;
    const ecp_shape *shape;  ///< kept by reference
    ecp_real mass;           ///< kg; dynamic bodies only
    ecp_real inertia[6];     ///< xx, yy, zz, xy, xz, yz about the centre of mass; all 0: uniform density
    ecp_state state;         ///< velocities of locked axes are set to zero
    unsigned lock;           ///< ECP_LOCK_*; dynamic bodies only
} ecp_body_def;

typedef struct ecp_contact_def {
    int a, b;       ///< body ids; n points from b to a; order decides the signs in the report only
    ecp_real mu;    ///< friction coefficient, >= 0
    ecp_real e[3];  ///< e_t, e_o (> 0), e_r (m, >= 0) of the friction ellipsoid
    ecp_vec3 axis;  ///< direction of t in the frame of body b; zero: chosen from the world axes
} ecp_contact_def;

typedef struct ecp_world ecp_world;

/// Empty a world. ECP_E_ARG: gravity not finite, tolerance or recovery_speed not in range and not 0.
/// Cost: clears sizeof(ecp_world) bytes. The one call that also works on memory never used before.
ecp_status ecp_world_init(ecp_world *world, const ecp_settings *settings);
/// Add a body; its id (0, 1, ... in order) is written to *id unless id is NULL. Bodies stay for the
/// life of the world. ECP_E_LIMIT: ECP_MAX_BODIES or ECP_MAX_MOVING reached, or a shape beyond ECP_MAX_FACETS. ECP_E_SHAPE:
/// see ecp_shape_check; also a dynamic half-space. ECP_E_MASS: mass not positive, inertia not that of a
/// rigid body, or uniform density asked for where the centroid is not the origin. ECP_E_STATE: see
/// ecp_set_state. ECP_E_ARG: kind or lock out of range. Cost: that of the shape check and inertia.
ecp_status ecp_add_body(ecp_world *world, const ecp_body_def *def, int *id);
/// Declare that two bodies can touch; ids count from 0. Bodies without a contact pass through each
/// other. ECP_E_ARG: unknown or equal ids, neither body dynamic, the pair declared before, two curved
/// bodies that are not both spheres (not supported yet), friction not
/// as ecp_set_friction wants it, axis not finite. ECP_E_LIMIT: ECP_MAX_CONTACTS reached. Cost: one loop
/// over the contacts.
ecp_status ecp_add_contact(ecp_world *world, const ecp_contact_def *def, int *id);

// ---------------------------------------------------------------------------------------------
// Between steps

/// Replace pose and velocity of a body of any kind, in the world frame. The quaternion may be off unit
/// length by 1e-3; it is normalised. A state that penetrates is accepted: the steps push it out at the
/// recovery speed. The warm start is kept as a guess, so measured states may be set every cycle.
/// ECP_E_ARG: unknown id. ECP_E_STATE: not finite, not unit, or a fixed body with a velocity. Cost: fixed.
ecp_status ecp_set_state(ecp_world *world, int body, const ecp_state *state);
/// Pose and velocity of a body as they are now. ECP_E_ARG: unknown id. Cost: fixed.
ecp_status ecp_get_state(const ecp_world *world, int body, ecp_state *state);
/// Force (N) and torque (N m) at the centre of mass, world frame, held until changed; besides gravity.
/// ECP_E_ARG: not the id of a dynamic body, or not finite. Cost: fixed.
ecp_status ecp_set_wrench(ecp_world *world, int body, ecp_vec3 force, ecp_vec3 torque);
/// Impulse (N s, N m s) that acts in the next step only; several add up. A refused step keeps it for the
/// one after. Fails as ecp_set_wrench. Cost: fixed.
ecp_status ecp_apply_impulse(ecp_world *world, int body, ecp_vec3 force, ecp_vec3 torque);
/// Friction of a contact from the next step on: mu >= 0, e_t > 0, e_o > 0, e_r >= 0 (m; 0: none about
/// the normal), all finite, otherwise ECP_E_ARG. Cost: fixed.
ecp_status ecp_set_friction(ecp_world *world, int contact, ecp_real mu, const ecp_real e[3]);
/// New mass (kg) and inertia (kg m^2 in the body frame, xx yy zz xy xz yz; all 0: uniform density) of a
/// dynamic body. ECP_E_ARG: unknown id. ECP_E_MASS: as in ecp_add_body. Cost: fixed, or that of the inertia.
ecp_status ecp_set_mass(ecp_world *world, int body, ecp_real mass, const ecp_real inertia[6]);

// ---------------------------------------------------------------------------------------------
// Stepping

typedef enum ecp_mode { ECP_OPEN = 0, ECP_STICK = 1, ECP_SLIP = 2 } ecp_mode;

typedef struct ecp_contact_report {
    ecp_mode mode;
    int patch;             ///< 0 open, 1 point, 2 line, 3 surface
    int facets;            ///< facets of body A that contain the whole touching set (0 when open)
    ecp_vec3 a;            ///< ECP: the point of body A, world frame
    ecp_vec3 n, t;         ///< contact normal (from B to A) and tangent; o = n x t
    ecp_real gap;          ///< signed distance at the end of the step, m
    ecp_real pn, pt, po;   ///< impulse that B exerts on A, N s
    ecp_real pr;           ///< moment about n that B exerts on A, N m s
    ecp_real sigma;        ///< slip speed, m/s
    ecp_real edge;         ///< distance of the ECP from the border of its patch, m: how far from tipping
    ecp_real reserve;      ///< 1 - |phat|/(mu pn): how far from slipping
} ecp_contact_report;

typedef struct ecp_report {
    ecp_status status;
    int iterations;      ///< Newton iterations, all rungs and substeps; <= ECP_MAX_ITERATIONS
    int substeps;        ///< 1 when the step was not split
    ecp_real residual;   ///< nondimensional, worst
    ecp_real gap_min;    ///< least gap over all contacts, 0 if there are none
    int contact_count;
    ecp_contact_report contact[ECP_MAX_CONTACTS];
} ecp_report;

/// Advance by h > 0 seconds. report may be NULL; leaving it out saves the geometry of the report only.
/// ECP_OK, ECP_SUBSTEPPED, ECP_DEGRADED: done, the world is at the end of the step. ECP_E_ARG: h not positive
/// and finite. ECP_E_STATE: a body turns by more than half a radian per h / ECP_MAX_SUBSTEPS, two close by
/// more than the smaller inner radius in it, or one moves so fast that its next state is no finite number.
/// ECP_E_DIVERGED: no valid step. After a refusal the world is as before the call, and the report
/// holds its status. Cost: at most ECP_MAX_ITERATIONS Newton iterations, each linear in the contacts
/// of a body; 0 to 3 in most steps, and no solve at all for what cannot reach anything.
ecp_status ecp_step(ecp_world *world, ecp_real h, ecp_report *report);
/// The report of the present pose without a step: gaps, closest points, normals; impulses zero, every
/// contact open. Fails on null pointers only. Cost: one support query per contact.
ecp_status ecp_observe(const ecp_world *world, ecp_report *report);
/// Sum over the dynamic bodies of m v.v/2 + w.I w/2 - m g.x, J; 0 for a null pointer.
ecp_real ecp_energy(const ecp_world *world);
/// Text of the last refusal, with the argument or limit that caused it; "" if there was none. A
/// constant of the library: it stays valid, and success does not clear it.
const char *ecp_error(const ecp_world *world);

// ---------------------------------------------------------------------------------------------
// Rollouts: what would happen

/// Wrench held through one step: force (N) and torque (N m) at the centre of mass, world frame.
typedef struct ecp_input {
    ecp_vec3 force, torque;
} ecp_input;

/// What to try. Everything it points at is the caller's and is not kept. Fields left 0 are unused.
typedef struct ecp_rollout_plan {
    ecp_real h;               ///< length of every step, s
    int steps;                ///< how many, >= 1
    /// inputs by array: in step k the body input_body[j] gets inputs[k * input_count + j], as by
    /// ecp_set_wrench; the last of the rows is held to the end (one row: constant inputs)
    int input_rows, input_count;
    const int *input_body;
    const ecp_input *inputs;
    /// inputs by policy: called before step k (from 0) with the rolled-out world, on which it may call
    /// every function of "Between steps", and with the last report (NULL before the first step). A
    /// negative status it returns ends the rollout with that status
    ecp_status (*policy)(void *context, ecp_world *world, int k, const ecp_report *last);
    /// called after step k; true: enough, stop here
    bool (*until)(void *context, const ecp_world *world, int k, const ecp_report *report);
    /// free-running clock of any unit that may wrap, and the time from the call of ecp_rollout after
    /// which no step is begun and the step under way is given up; NULL: no limit
    uint32_t (*clock)(void *context);
    uint32_t budget;
    void *context;            ///< given to policy, until and clock
    /// states after every step: body state_body[j] after step k at states[k * state_count + j]
    int state_count;
    const int *state_body;
    ecp_state *states;
} ecp_rollout_plan;

typedef struct ecp_rollout_result {
    ecp_status status;        ///< as returned
    int steps;                ///< steps done, all of them valid, whatever the status
    bool stopped;             ///< until() ended it
    int substepped, degraded; ///< how many of the steps were
    uint32_t iterations;      ///< of all steps
    ecp_real residual;        ///< worst
    ecp_real gap_min;         ///< least over all contacts and steps, 0 if there are none
    ecp_report last;          ///< of the last step done; its status alone where a step was refused
} ecp_rollout_result;

/// Take plan->steps steps on a copy of world, which is not changed: as many rollouts as you like from
/// one world, also several at once in different threads, each with its own scratch, plan and result.
/// scratch is a second world of the caller, anything may be in it; it ends as the world after the
/// last step done. N steps of a rollout are N calls of ecp_step, to the last bit.
/// ECP_OK, ECP_SUBSTEPPED, ECP_DEGRADED: the worst of the steps. ECP_DEADLINE: the budget ended it;
/// the step under way was given up within one Newton iteration or one safe fallback, and costs no
/// validity: result->steps and the states written are those of a rollout without a budget.
/// Negative: ECP_E_ARG before the first step (null pointers, scratch == world, unknown ids, inputs not
/// finite; only result is written), or what the policy returned or a step was refused with; the
/// steps before it are valid. ecp_error(scratch) has the text.
/// Cost: one copy of the description (not of the solver memory) and the steps.
ecp_status ecp_rollout(const ecp_world *world, ecp_world *scratch, const ecp_rollout_plan *plan,
                       ecp_rollout_result *result);

// ---------------------------------------------------------------------------------------------
// Snapshots

/// Everything that steps and the functions of "Between steps" can change: poses, velocities and what
/// rounding took from them, wrenches, impulses not yet used, masses, friction, warm starts. Plain
/// data without pointers: keep it in RAM or flash, copy it, send it to a machine of the same byte
/// order. Size: 8 bytes + ECP_MAX_BODIES x 38 reals + ECP_MAX_CONTACTS x about 30 reals.
typedef struct ecp_snapshot ecp_snapshot;

/// Write a snapshot of the world. Cost: one copy. Fails (ECP_E_ARG) on null pointers only.
ecp_status ecp_save(const ecp_world *world, ecp_snapshot *snapshot);
/// Bring the world back to a snapshot, exactly: stepping on gives the same bits as it gave after the
/// save. The world must have the description it had then (settings, bodies, contacts; the shapes are
/// taken on trust) but may be another one. ECP_E_ARG, and nothing changed: null pointer, a snapshot
/// of another description, or one whose checksum does not hold. Cost: one copy.
ecp_status ecp_restore(ecp_world *world, const ecp_snapshot *snapshot);

// ---------------------------------------------------------------------------------------------
// The inverse query: what must have acted

/// One step of a body as it was seen, with its loads. The other body of the contact is a half-space
/// and is where the world has it, which must be its pose at the end of the step.
typedef struct ecp_motion {
    int contact;                        ///< its body that is not the half-space moved
    ecp_real h;                         ///< length of the step, s
    ecp_state before, after;            ///< of that body
    ecp_vec3 impulse, angular_impulse;  ///< applied besides gravity, N s and N m s: h wrench + impulses
    ecp_real slack;                     ///< m by which a measured pose may be off; 0: states of ecp_step
} ecp_motion;

typedef struct ecp_inverse_result {
    bool contact;        ///< the motion is that of a body in this contact
    const char *why;     ///< if not, or if refused: the reason; otherwise ""
    ecp_vec3 a, n, t;    ///< ECP, normal and tangent as in ecp_contact_report
    ecp_real gap;        ///< m, at the end of the step
    ecp_real pn, pt, po; ///< impulse that body B exerted on A, N s
    ecp_real pr;         ///< moment about n that B exerted on A, N m s
    ecp_real sigma;      ///< slip speed, m/s
    ecp_real mu;         ///< |(pt/e_t, po/e_o, pr/e_r)|/pn: the friction coefficient where it slips, at
                         ///< most the friction coefficient where it sticks
} ecp_inverse_result;

/// ECP and wrench of a contact from two states of its body, in closed form: no iteration, no guess, no
/// friction model. What ecp_step did in a step of status ECP_OK with one pressing contact on the body
/// comes back to 1e-9 of its size; where the contact changes the momentum m v by less than a hundredth,
/// to 1e-11 m v/pn. A substepped step is several motions. Of several pressing contacts the resultant
/// comes back as if it were one. Of a body that recovers from depth the line of the force is right, and
/// the point on it is the one at the level of the deepest point.
/// contact is false, with the numbers still given, where the shapes do not touch, the ECP is no point
/// of the body, or there is a moment about n although e_r = 0; where nothing presses (or pulls) the
/// wrench is zero and a the closest point. Every number is finite. In float expect 1e-7 m v/pn.
/// ECP_E_ARG: null pointers, unknown contact, neither body a half-space, a body with locked axes (what
/// holds them is unknown), h, slack or impulses not finite or out of range. ECP_E_STATE: states not
/// finite, quaternions not unit, or a spin that ecp_step would have substepped. Cost: two 3 x 3 solves.
ecp_status ecp_inverse(const ecp_world *world, const ecp_motion *motion, ecp_inverse_result *result);

// ---------------------------------------------------------------------------------------------
// private: layout may change; visible so that the caller can place it

#include "ecp_private.h"

#ifdef __cplusplus
}
#endif

#endif
