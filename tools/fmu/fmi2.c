// fmi2.c - the functions of FMI 2.0 for co-simulation, over fmu_model.h. The types are written out as the
// standard defines them, so that no header of it is needed.
#include "fmu_model.h"
#include "fmu_scene.h"

#include <stdlib.h>
#include <string.h>

typedef void *fmi2Component, *fmi2State;
typedef unsigned int fmi2Ref;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef struct callbacks {
    void (*log)(void *, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, fmi2Status);
    void *environment;
} callbacks;

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif
// statically linked models put their identifier before the names
#ifdef FMI2_FUNCTION_PREFIX
#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define NAME(name) PASTE(FMI2_FUNCTION_PREFIX, name)
#else
#define NAME(name) name
#endif
#define API(type, name, args) \
    EXPORT type NAME(name) args; \
    type NAME(name) args

typedef enum phase { INSTANTIATED, INITIALIZATION, STEPPING, TERMINATED } phase;

typedef struct instance {
    fmu_model model;
    phase phase;
    const callbacks *call;
    char name[64];
    fmi2Boolean logging;
} instance;

static fmi2Status complain(instance *it, const char *text)
{
    if (it && it->logging && it->call && it->call->log) {
        it->call->log(it->call->environment, it->name, fmi2Error, "logStatusError", "%s", text);
    }
    return fmi2Error;
}

static fmi2Status move(instance *it, phase from, phase to)
{
    if (!it || it->phase != from) {
        return complain(it, "called in the wrong order");
    }
    it->phase = to;
    return fmi2OK;
}

// ---------------------------------------------------------------------------------------------
// life

API(const char *, fmi2GetTypesPlatform, (void))
{
    return "default";
}

API(const char *, fmi2GetVersion, (void))
{
    return "2.0";
}

API(fmi2Status, fmi2SetDebugLogging, (fmi2Component it, fmi2Boolean on, size_t count, const fmi2String *categories))
{
    (void)count, (void)categories;
    ((instance *)it)->logging = on;
    return fmi2OK;
}

API(fmi2Component, fmi2Instantiate,
    (fmi2String name, int type, fmi2String guid, fmi2String resources, const callbacks *call, fmi2Boolean visible,
     fmi2Boolean logging))
{
    (void)resources, (void)visible;
    enum { CO_SIMULATION = 1 };
    instance *it = calloc(1, sizeof *it);
    if (!it) {
        return NULL;
    }
    it->call = call;
    it->logging = logging;
    strncpy(it->name, name ? name : "", sizeof it->name - 1);
    const char *wrong = type != CO_SIMULATION ? "only co-simulation here"
                        : !guid || strcmp(guid, FMU_TOKEN) != 0 ? "guid is that of another model"
                        : !fmu_start(&it->model, &FMU_SCENE, FMU_STEP) ? ecp_error(&it->model.world)
                                                             : NULL;
    if (wrong) {
        it->logging = 1;
        (void)complain(it, wrong);
        free(it);
        return NULL;
    }
    return it;
}

API(void, fmi2FreeInstance, (fmi2Component it))
{
    free(it);
}

API(fmi2Status, fmi2SetupExperiment,
    (fmi2Component instance_, fmi2Boolean tolerance_defined, double tolerance, double start, fmi2Boolean stop_defined,
     double stop))
{
    instance *it = instance_;
    (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
    it->model.start = start;
    return it->phase == INSTANTIATED ? fmi2OK : complain(it, "called in the wrong order");
}

API(fmi2Status, fmi2EnterInitializationMode, (fmi2Component it))
{
    return move(it, INSTANTIATED, INITIALIZATION);
}

API(fmi2Status, fmi2ExitInitializationMode, (fmi2Component it))
{
    return move(it, INITIALIZATION, STEPPING);
}

API(fmi2Status, fmi2Terminate, (fmi2Component it))
{
    return move(it, STEPPING, TERMINATED);
}

API(fmi2Status, fmi2Reset, (fmi2Component instance_))
{
    instance *it = instance_;
    it->phase = INSTANTIATED;
    return fmu_start(&it->model, &FMU_SCENE, FMU_STEP) ? fmi2OK : fmi2Fatal;
}

// ---------------------------------------------------------------------------------------------
// values

API(fmi2Status, fmi2GetReal, (fmi2Component it, const fmi2Ref *refs, size_t count, double *values))
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = fmu_get(&((instance *)it)->model, refs[i], &values[i]);
    }
    return ok ? fmi2OK : complain(it, "no such Real");
}

API(fmi2Status, fmi2GetInteger, (fmi2Component it, const fmi2Ref *refs, size_t count, int *values))
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        int32_t value = 0;
        ok = fmu_get_integer(&((instance *)it)->model, refs[i], &value);
        values[i] = (int)value;
    }
    return ok ? fmi2OK : complain(it, "no such Integer");
}

API(fmi2Status, fmi2SetReal, (fmi2Component it, const fmi2Ref *refs, size_t count, const double *values))
{
    bool ok = ((instance *)it)->phase != TERMINATED;
    for (size_t i = 0; ok && i < count; i++) {
        ok = fmu_set(&((instance *)it)->model, refs[i], values[i]);
    }
    return ok ? fmi2OK : complain(it, "no such input, or its value is not finite");
}

// types that no variable of this model has: right only for no variables at all
#define NO_VALUES(name, type) \
    API(fmi2Status, fmi2##name, (fmi2Component it, const fmi2Ref *refs, size_t count, type *values)) \
    { \
        (void)refs, (void)values; \
        return count == 0 ? fmi2OK : complain(it, "no variable of this type"); \
    }
NO_VALUES(GetBoolean, fmi2Boolean)
NO_VALUES(GetString, fmi2String)
NO_VALUES(SetInteger, const int)
NO_VALUES(SetBoolean, const fmi2Boolean)
NO_VALUES(SetString, const fmi2String)

// ---------------------------------------------------------------------------------------------
// stepping

API(fmi2Status, fmi2DoStep, (fmi2Component instance_, double time, double size, fmi2Boolean no_set_state))
{
    instance *it = instance_;
    (void)no_set_state;
    if (it->phase != STEPPING) {
        return complain(it, "fmi2DoStep outside step mode");
    }
    const uint32_t steps = fmu_steps(&it->model, time, size);
    if (steps == 0) {
        return complain(it, "communicationStepSize is no multiple of the step of the model, "
                        "or does not start where the last step ended");
    }
    for (uint32_t k = 0; k < steps; k++) {
        if (fmu_step(&it->model) < 0) {
            return complain(it, ecp_error(&it->model.world));
        }
    }
    return fmi2OK;
}

// ---------------------------------------------------------------------------------------------
// states

API(fmi2Status, fmi2GetFMUstate, (fmi2Component it, fmi2State *state))
{
    if (!*state) {
        *state = calloc(1, sizeof(fmu_snapshot));
    }
    return *state && fmu_save(&((instance *)it)->model, *state) ? fmi2OK : complain(it, "no memory");
}

API(fmi2Status, fmi2SetFMUstate, (fmi2Component it, fmi2State state))
{
    return state && fmu_restore(&((instance *)it)->model, state) ? fmi2OK : complain(it, "no state of this model");
}

API(fmi2Status, fmi2FreeFMUstate, (fmi2Component it, fmi2State *state))
{
    (void)it;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

API(fmi2Status, fmi2SerializedFMUstateSize, (fmi2Component it, fmi2State state, size_t *size))
{
    (void)it, (void)state;
    *size = sizeof(fmu_snapshot);
    return fmi2OK;
}

API(fmi2Status, fmi2SerializeFMUstate, (fmi2Component it, fmi2State state, char *bytes, size_t size))
{
    if (size != sizeof(fmu_snapshot)) {
        return complain(it, "wrong size of a serialized state");
    }
    memcpy(bytes, state, size);
    return fmi2OK;
}

API(fmi2Status, fmi2DeSerializeFMUstate, (fmi2Component it, const char *bytes, size_t size, fmi2State *state))
{
    if (size != sizeof(fmu_snapshot) || (!*state && !(*state = calloc(1, size)))) {
        return complain(it, "wrong size of a serialized state");
    }
    memcpy(*state, bytes, size);
    return fmi2OK;
}

// ---------------------------------------------------------------------------------------------
// what modelDescription.xml says this model does not have

#define NOT_HERE(name, args) \
    API(fmi2Status, name, args) \
    { \
        return complain(it, #name ": this model does not have that"); \
    }
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
NOT_HERE(fmi2GetDirectionalDerivative, (fmi2Component it, const fmi2Ref *unknowns, size_t unknown_count,
                                        const fmi2Ref *knowns, size_t known_count, const double *seed,
                                        double *sensitivity))
NOT_HERE(fmi2SetRealInputDerivatives, (fmi2Component it, const fmi2Ref *refs, size_t count, const int *orders,
                                       const double *values))
NOT_HERE(fmi2GetRealOutputDerivatives, (fmi2Component it, const fmi2Ref *refs, size_t count, const int *orders,
                                        double *values))
NOT_HERE(fmi2CancelStep, (fmi2Component it))
NOT_HERE(fmi2GetStatus, (fmi2Component it, int kind, fmi2Status *value))
NOT_HERE(fmi2GetRealStatus, (fmi2Component it, int kind, double *value))
NOT_HERE(fmi2GetIntegerStatus, (fmi2Component it, int kind, int *value))
NOT_HERE(fmi2GetBooleanStatus, (fmi2Component it, int kind, fmi2Boolean *value))
NOT_HERE(fmi2GetStringStatus, (fmi2Component it, int kind, fmi2String *value))
