// scene_data.h - a scenario as constant data: what `ecp gen` writes, and what both the host command
// and a target run, so that both take the same steps to the bit.
//
// Times are step numbers and phases are fractions of a turn, made on the host in double; from there
// on only ecp_real and whole numbers are used, so a float image needs no double arithmetic.
#ifndef ECP_SCENE_DATA_H
#define ECP_SCENE_DATA_H

#include "ecp.h"

/// constant + sine sin(2 pi f t) + cosine cos(2 pi f t) in the steps first <= k < end. Six numbers
/// each: force x, y, z in N, torque x, y, z in N m, world frame, at the centre of mass.
typedef struct scene_wrench {
    int body;
    uint32_t first, end;
    uint64_t turn;  ///< fraction of a turn per step, f h modulo 1, in units of 2^-64 turns
    ecp_real constant[6], sine[6], cosine[6];
} scene_wrench;

/// Component of the velocity that a trigger looks at.
typedef enum scene_component {
    SCENE_VX,
    SCENE_VY,
    SCENE_VZ,
    SCENE_WX,
    SCENE_WY,
    SCENE_WZ
} scene_component;

/// An impulse (N s, N m s) of one step, or of every step that starts where the trigger holds.
typedef struct scene_impulse {
    int body;
    bool triggered;
    uint32_t step;              ///< without trigger
    scene_component component;  ///< with trigger: component <= level, or >= level
    bool at_most;
    ecp_real level;
    ecp_real value[6];
} scene_impulse;

typedef struct scene_data {
    const char *name;
    ecp_real h;  ///< s
    uint32_t steps;
    ecp_settings settings;
    int body_count, contact_count, wrench_count, impulse_count;
    const ecp_body_def *bodies;
    const ecp_contact_def *contacts;
    const scene_wrench *wrenches;
    const scene_impulse *impulses;
    uint64_t hash;  ///< of all steps, as the host found it for this real type; 0: not known
} scene_data;

/// Fill a world: ids are the places in the scene. A negative status says what was refused.
ecp_status scene_init(const scene_data *s, ecp_world *world);
/// Set the loads of step k. A negative status: a load was refused, ecp_error says why.
ecp_status scene_load(const scene_data *s, ecp_world *world, uint32_t k);
/// Loads, then the step. report may be NULL.
ecp_status scene_step(const scene_data *s, ecp_world *world, uint32_t k, ecp_report *report);

/// The sum of the wrenches on a body in step k; false when there is no wrench on it in any step.
bool scene_wrench_sum(const scene_data *s, int body, uint32_t k, ecp_real out[6]);
/// True if the impulse acts in step k, which starts in the given state of its body.
bool scene_impulse_acts(const scene_impulse *impulse, uint32_t k, const ecp_state *state);

/// sin and cos of a phase in units of 2^-64 turns, to the accuracy of ecp_real. From + - * and exact
/// conversions only: the same bits on every machine.
void scene_sincos(uint64_t phase, ecp_real *sine, ecp_real *cosine);

#endif
