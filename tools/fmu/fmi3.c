// fmi3.c - the functions of FMI 3.0 for co-simulation, over fmu_model.h. The types are written out as the
// standard defines them, so that no header of it is needed.
#include "fmu_model.h"
#include "fmu_scene.h"

#include <stdlib.h>
#include <string.h>

typedef void *fmi3Instance, *fmi3Environment, *fmi3State;
typedef uint32_t fmi3Ref;
typedef const char *fmi3String;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef void fmi3Log(fmi3Environment, fmi3Status, fmi3String, fmi3String);
typedef void fmi3Update(void);

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif
// statically linked models put their identifier before the names
#ifdef FMI3_FUNCTION_PREFIX
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(name) PASTE(FMI3_FUNCTION_PREFIX, name)
#else
#define NAME(name) name
#endif
// a function: its prototype first, as strict compilers want it
#define API(type, name, args) \
    EXPORT type NAME(name) args; \
    type NAME(name) args

typedef enum phase { INSTANTIATED, INITIALIZATION, STEPPING, TERMINATED } phase;

typedef struct instance {
    fmu_model model;
    phase phase;
    fmi3Log *log;
    fmi3Environment environment;
    bool logging;
} instance;

static fmi3Status complain(instance *it, const char *category, const char *text)
{
    if (it && it->log && it->logging) {
        it->log(it->environment, fmi3Error, category, text);
    }
    return fmi3Error;
}

static fmi3Status move(instance *it, phase from, phase to)
{
    if (!it || it->phase != from) {
        return complain(it, "logStatusError", "called in the wrong order");
    }
    it->phase = to;
    return fmi3OK;
}

// ---------------------------------------------------------------------------------------------
// life

API(const char *, fmi3GetVersion, (void))
{
    return "3.0";
}

API(fmi3Status, fmi3SetDebugLogging, (fmi3Instance instance_, bool on, size_t count, const fmi3String *categories))
{
    (void)count;
    (void)categories;
    ((instance *)instance_)->logging = on;
    return fmi3OK;
}

API(fmi3Instance, fmi3InstantiateCoSimulation,
    (fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging, bool event_mode,
     bool early_return, const fmi3Ref *required, size_t required_count, fmi3Environment environment, fmi3Log *log,
     fmi3Update *update))
{
    (void)name, (void)resources, (void)visible, (void)early_return, (void)required, (void)update;
    instance *it = calloc(1, sizeof *it);
    if (!it) {
        return NULL;
    }
    it->log = log;
    it->environment = environment;
    it->logging = logging;
    const char *wrong = !token || strcmp(token, FMU_TOKEN) != 0 ? "instantiationToken is that of another model"
                        : event_mode || required_count > 0 ? "no event mode and no intermediate variables here"
                        : !fmu_start(&it->model, &FMU_SCENE, FMU_STEP) ? ecp_error(&it->model.world)
                                                             : NULL;
    if (wrong) {
        it->logging = true;
        (void)complain(it, "logStatusError", wrong);
        free(it);
        return NULL;
    }
    return it;
}

API(fmi3Instance, fmi3InstantiateModelExchange,
    (fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging,
     fmi3Environment environment, fmi3Log *log))
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    return NULL;
}

API(fmi3Instance, fmi3InstantiateScheduledExecution,
    (fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging,
     fmi3Environment environment, fmi3Log *log, fmi3Update *clock, fmi3Update *lock, fmi3Update *unlock))
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    (void)clock, (void)lock, (void)unlock;
    return NULL;
}

API(void, fmi3FreeInstance, (fmi3Instance it))
{
    free(it);
}

API(fmi3Status, fmi3EnterInitializationMode,
    (fmi3Instance instance_, bool tolerance_defined, double tolerance, double start, bool stop_defined, double stop))
{
    instance *it = instance_;
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    const fmi3Status status = move(it, INSTANTIATED, INITIALIZATION);
    if (status == fmi3OK) {
        it->model.start = start;
    }
    return status;
}

API(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance it))
{
    return move(it, INITIALIZATION, STEPPING);
}

API(fmi3Status, fmi3Terminate, (fmi3Instance it))
{
    return move(it, STEPPING, TERMINATED);
}

API(fmi3Status, fmi3Reset, (fmi3Instance instance_))
{
    instance *it = instance_;
    it->phase = INSTANTIATED;
    return fmu_start(&it->model, &FMU_SCENE, FMU_STEP) ? fmi3OK : fmi3Fatal;
}

// ---------------------------------------------------------------------------------------------
// values

API(fmi3Status, fmi3GetFloat64, (fmi3Instance it, const fmi3Ref *refs, size_t count, double *values, size_t room))
{
    bool ok = count == room;
    for (size_t i = 0; ok && i < count; i++) {
        ok = fmu_get(&((instance *)it)->model, refs[i], &values[i]);
    }
    return ok ? fmi3OK : complain(it, "logStatusError", "no such Float64");
}

API(fmi3Status, fmi3GetInt32, (fmi3Instance it, const fmi3Ref *refs, size_t count, int32_t *values, size_t room))
{
    bool ok = count == room;
    for (size_t i = 0; ok && i < count; i++) {
        ok = fmu_get_integer(&((instance *)it)->model, refs[i], &values[i]);
    }
    return ok ? fmi3OK : complain(it, "logStatusError", "no such Int32");
}

API(fmi3Status, fmi3SetFloat64,
    (fmi3Instance it, const fmi3Ref *refs, size_t count, const double *values, size_t room))
{
    bool ok = count == room && ((instance *)it)->phase != TERMINATED;
    for (size_t i = 0; ok && i < count; i++) {
        ok = fmu_set(&((instance *)it)->model, refs[i], values[i]);
    }
    return ok ? fmi3OK : complain(it, "logStatusError", "no such input, or its value is not finite");
}

// types that no variable of this model has: right only for no variables at all
#define NO_VALUES(type, name) \
    API(fmi3Status, fmi3Get##name, \
        (fmi3Instance it, const fmi3Ref *refs, size_t count, type *values, size_t room)) \
    { \
        (void)refs, (void)values; \
        return count == 0 && room == 0 ? fmi3OK : complain(it, "logStatusError", "no variable of this type"); \
    } \
    API(fmi3Status, fmi3Set##name, \
        (fmi3Instance it, const fmi3Ref *refs, size_t count, const type *values, size_t room)) \
    { \
        (void)refs, (void)values; \
        return count == 0 && room == 0 ? fmi3OK : complain(it, "logStatusError", "no input of this type"); \
    }
NO_VALUES(float, Float32)
NO_VALUES(int8_t, Int8)
NO_VALUES(uint8_t, UInt8)
NO_VALUES(int16_t, Int16)
NO_VALUES(uint16_t, UInt16)
NO_VALUES(uint32_t, UInt32)
NO_VALUES(int64_t, Int64)
NO_VALUES(uint64_t, UInt64)
NO_VALUES(bool, Boolean)
NO_VALUES(fmi3String, String)

API(fmi3Status, fmi3SetInt32,
    (fmi3Instance it, const fmi3Ref *refs, size_t count, const int32_t *values, size_t room))
{
    (void)refs, (void)values;
    return count == 0 && room == 0 ? fmi3OK : complain(it, "logStatusError", "no input of this type");
}

API(fmi3Status, fmi3GetBinary,
    (fmi3Instance it, const fmi3Ref *refs, size_t count, size_t *sizes, const uint8_t **values, size_t room))
{
    (void)refs, (void)sizes, (void)values;
    return count == 0 && room == 0 ? fmi3OK : complain(it, "logStatusError", "no variable of this type");
}

API(fmi3Status, fmi3SetBinary,
    (fmi3Instance it, const fmi3Ref *refs, size_t count, const size_t *sizes, const uint8_t *const *values, size_t room))
{
    (void)refs, (void)sizes, (void)values;
    return count == 0 && room == 0 ? fmi3OK : complain(it, "logStatusError", "no input of this type");
}

API(fmi3Status, fmi3GetClock, (fmi3Instance it, const fmi3Ref *refs, size_t count, bool *values))
{
    (void)refs, (void)values;
    return count == 0 ? fmi3OK : complain(it, "logStatusError", "no variable of this type");
}

API(fmi3Status, fmi3SetClock, (fmi3Instance it, const fmi3Ref *refs, size_t count, const bool *values))
{
    (void)refs, (void)values;
    return count == 0 ? fmi3OK : complain(it, "logStatusError", "no input of this type");
}

// ---------------------------------------------------------------------------------------------
// stepping

API(fmi3Status, fmi3DoStep,
    (fmi3Instance instance_, double time, double size, bool no_set_state, bool *event, bool *terminate, bool *early,
     double *last))
{
    instance *it = instance_;
    (void)no_set_state;
    *event = *terminate = *early = false;
    *last = fmu_time(&it->model);
    if (it->phase != STEPPING) {
        return complain(it, "logStatusError", "fmi3DoStep outside step mode");
    }
    const uint32_t steps = fmu_steps(&it->model, time, size);
    if (steps == 0) {
        return complain(it, "logStatusError", "communicationStepSize is no multiple of fixedInternalStepSize, "
                        "or does not start where the last step ended");
    }
    for (uint32_t k = 0; k < steps; k++) {
        if (fmu_step(&it->model) < 0) {
            *last = fmu_time(&it->model);
            return complain(it, "logStatusError", ecp_error(&it->model.world));
        }
    }
    *last = fmu_time(&it->model);
    return fmi3OK;
}

// ---------------------------------------------------------------------------------------------
// states

// one kind of state for both: a snapshot, so that it can be written out
API(fmi3Status, fmi3GetFMUState, (fmi3Instance it, fmi3State *state))
{
    if (!*state) {
        *state = calloc(1, sizeof(fmu_snapshot));
    }
    return *state && fmu_save(&((instance *)it)->model, *state) ? fmi3OK
                                                                : complain(it, "logStatusError", "no memory");
}

API(fmi3Status, fmi3SetFMUState, (fmi3Instance it, fmi3State state))
{
    return state && fmu_restore(&((instance *)it)->model, state)
               ? fmi3OK : complain(it, "logStatusError", "no state of this model");
}

API(fmi3Status, fmi3FreeFMUState, (fmi3Instance it, fmi3State *state))
{
    (void)it;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

API(fmi3Status, fmi3SerializedFMUStateSize, (fmi3Instance it, fmi3State state, size_t *size))
{
    (void)it, (void)state;
    *size = sizeof(fmu_snapshot);
    return fmi3OK;
}

API(fmi3Status, fmi3SerializeFMUState, (fmi3Instance it, fmi3State state, uint8_t *bytes, size_t size))
{
    if (size != sizeof(fmu_snapshot)) {
        return complain(it, "logStatusError", "wrong size of a serialized state");
    }
    memcpy(bytes, state, size);
    return fmi3OK;
}

API(fmi3Status, fmi3DeserializeFMUState, (fmi3Instance it, const uint8_t *bytes, size_t size, fmi3State *state))
{
    if (size != sizeof(fmu_snapshot) || (!*state && !(*state = calloc(1, size)))) {
        return complain(it, "logStatusError", "wrong size of a serialized state");
    }
    memcpy(*state, bytes, size);
    return fmi3OK;
}

// ---------------------------------------------------------------------------------------------
// what modelDescription.xml says this model does not have

#define NOT_HERE(name, args) \
    API(fmi3Status, name, args) \
    { \
        return complain(it, "logStatusError", #name ": this model does not have that"); \
    }
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
NOT_HERE(fmi3EnterEventMode, (fmi3Instance it))
NOT_HERE(fmi3EnterStepMode, (fmi3Instance it))
NOT_HERE(fmi3EnterConfigurationMode, (fmi3Instance it))
NOT_HERE(fmi3ExitConfigurationMode, (fmi3Instance it))
NOT_HERE(fmi3EvaluateDiscreteStates, (fmi3Instance it))
NOT_HERE(fmi3UpdateDiscreteStates, (fmi3Instance it, bool *again, bool *terminate, bool *nominals, bool *values,
                                    bool *next_defined, double *next))
NOT_HERE(fmi3GetNumberOfVariableDependencies, (fmi3Instance it, fmi3Ref ref, size_t *count))
NOT_HERE(fmi3GetVariableDependencies, (fmi3Instance it, fmi3Ref ref, size_t *elements, fmi3Ref *independents,
                                       size_t *independent_elements, int *kinds, size_t count))
NOT_HERE(fmi3GetDirectionalDerivative, (fmi3Instance it, const fmi3Ref *unknowns, size_t unknown_count,
                                        const fmi3Ref *knowns, size_t known_count, const double *seed,
                                        size_t seed_count, double *sensitivity, size_t sensitivity_count))
NOT_HERE(fmi3GetAdjointDerivative, (fmi3Instance it, const fmi3Ref *unknowns, size_t unknown_count,
                                    const fmi3Ref *knowns, size_t known_count, const double *seed,
                                    size_t seed_count, double *sensitivity, size_t sensitivity_count))
NOT_HERE(fmi3GetOutputDerivatives, (fmi3Instance it, const fmi3Ref *refs, size_t count, const int32_t *orders,
                                    double *values, size_t room))
NOT_HERE(fmi3GetIntervalDecimal, (fmi3Instance it, const fmi3Ref *refs, size_t count, double *intervals, int *kinds))
NOT_HERE(fmi3GetIntervalFraction, (fmi3Instance it, const fmi3Ref *refs, size_t count, uint64_t *counters,
                                   uint64_t *resolutions, int *kinds))
NOT_HERE(fmi3GetShiftDecimal, (fmi3Instance it, const fmi3Ref *refs, size_t count, double *shifts))
NOT_HERE(fmi3GetShiftFraction, (fmi3Instance it, const fmi3Ref *refs, size_t count, uint64_t *counters,
                                uint64_t *resolutions))
NOT_HERE(fmi3SetIntervalDecimal, (fmi3Instance it, const fmi3Ref *refs, size_t count, const double *intervals))
NOT_HERE(fmi3SetIntervalFraction, (fmi3Instance it, const fmi3Ref *refs, size_t count, const uint64_t *counters,
                                   const uint64_t *resolutions))
NOT_HERE(fmi3SetShiftDecimal, (fmi3Instance it, const fmi3Ref *refs, size_t count, const double *shifts))
NOT_HERE(fmi3SetShiftFraction, (fmi3Instance it, const fmi3Ref *refs, size_t count, const uint64_t *counters,
                                const uint64_t *resolutions))
