// fmu_model.h - a scenario as a model with numbered variables: what the functions of FMI 2.0 and 3.0 share.
//
// A model advances in whole steps h of its scenario. The inputs are wrenches on the dynamic bodies, added to
// the loads of the scenario and held through a step; with inputs of zero the trajectory is that of `ecp run`.
#ifndef FMU_MODEL_H
#define FMU_MODEL_H

#include "scene_data.h"

/// Value references. Those of body i (its place in the file) start at FMU_BODY + i FMU_STRIDE: six inputs (force,
/// torque), then px..pz, qw..qz, vx..vz, wx..wz. Those of contact k start at FMU_CONTACT + k FMU_STRIDE: mode,
/// patch, then ax..az, nx..nz, tx..tz, gap, pn, pt, po, pr, sigma, edge, reserve.
enum {
    FMU_TIME,
    FMU_RESIDUAL,
    FMU_GAP_MIN,
    FMU_ENERGY,
    FMU_STATUS,
    FMU_ITERATIONS,
    FMU_HEAD,
    FMU_STRIDE = 32,
    FMU_BODY = 1000,
    FMU_INPUTS = 6,
    FMU_BODY_VALUES = 19,
    FMU_CONTACT = 4000,
    FMU_CONTACT_INTEGERS = 2,
    FMU_CONTACT_VALUES = 19
};

typedef struct fmu_model {
    const scene_data *scene;
    double h;        ///< scene->h before it was rounded to ecp_real: the step of the clock outside
    double start;    ///< time of step 0
    uint32_t step;   ///< steps done
    ecp_real input[ECP_MAX_BODIES][FMU_INPUTS];
    ecp_report report; ///< of the last step; of the initial pose before the first
    ecp_world world;
} fmu_model;

/// What it takes to go on from here, without pointers.
typedef struct fmu_snapshot {
    uint32_t step;
    double start;
    ecp_real input[ECP_MAX_BODIES][FMU_INPUTS];
    ecp_report report;
    ecp_snapshot world;
} fmu_snapshot;

/// Bring a model to the start of its scenario. False: the scenario was refused (ecp_error says why).
bool fmu_start(fmu_model *m, const scene_data *scene, double h);
/// A real or a whole number by reference; false: there is none.
bool fmu_get(const fmu_model *m, uint32_t reference, double *value);
bool fmu_get_integer(const fmu_model *m, uint32_t reference, int32_t *value);
/// An input by reference; false: it is none, or the value is not finite or too large.
bool fmu_set(fmu_model *m, uint32_t reference, double value);
double fmu_time(const fmu_model *m);
/// Steps of a communication step from a time; 0: it is no whole number of them, or starts elsewhere.
uint32_t fmu_steps(const fmu_model *m, double time, double size);
ecp_status fmu_step(fmu_model *m);
bool fmu_save(const fmu_model *m, fmu_snapshot *snapshot);
bool fmu_restore(fmu_model *m, const fmu_snapshot *snapshot);

#endif
