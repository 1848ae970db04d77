// check_fmu FILE.fmu FOLDER [--bits 32] [--binary] [--input NAME=VALUE ...] [--csv RUN.csv]
//
// An importer of functional mock-up units for the tests, made from the standard: unpacks the archive into the empty
// FOLDER, checks its descriptions, compiles its sources (--binary: takes the binary in it), and runs the model in the
// order of calls the standard allows. Prints the hash of its trajectory: FNV-1a over the bits of px..wz of every body,
// after every step, the number that `ecp run --hash` prints. --csv: every column of the last row of that run is the variable of its name.
#define _XOPEN_SOURCE 700
#include "model.h"

#include <dlfcn.h>
#include <math.h>
#include <sys/stat.h>

typedef struct options {
    const char *file, *folder, *csv;
    bool binary;
    int bits, input_count;
    char *input[16];
} options;

static model m;

// ---------------------------------------------------------------------------------------------
// unpacking and building

static void write_member(const char *folder, const archive_file *f)
{
    char path[800];
    for (const char *slash = strchr(f->name, '/'); slash; slash = strchr(slash + 1, '/')) {
        (void)snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - f->name), f->name);
        (void)mkdir(path, 0777);
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder, f->name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(f->data, 1, f->size, out) != f->size || fclose(out) != 0) {
        refuse("cannot write", path);
    }
}

static char *text_of(const char *folder, const char *name)
{
    static char text[1 << 20];
    char path[800];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "rb");
    if (!in) {
        refuse("missing in the archive", name);
    }
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

static void unpack(const options *o)
{
    archive a;
    archive_file f;
    if (!archive_open(&a, o->file)) {
        refuse("no ZIP archive", o->file);
    }
    size_t place = a.directory;
    for (unsigned i = 0; i < a.count; i++) {
        if (!archive_next(&a, &place, &f) || strstr(f.name, "..") || f.name[0] == '/') {
            refuse("archive", "a member does not fit its headers or its CRC");
        }
        write_member(o->folder, &f);
    }
    free(a.bytes);
    model_read(&m, text_of(o->folder, "modelDescription.xml"));
    if (m.version == 3) {
        build_read(&m, text_of(o->folder, "sources/buildDescription.xml"));
    }
}

static void *library(const options *o)
{
    char path[800], command[3000];
    if (o->binary) {
        (void)snprintf(path, sizeof path, "%s/binaries/%s/%s.so", o->folder,
                       m.version == 3 ? "x86_64-linux" : "linux64", m.identifier);
    } else {
        (void)snprintf(path, sizeof path, "%s/built.so", o->folder);
        // what an importer might take: no flags of this project
        int n = snprintf(command, sizeof command, "cd '%s/sources' && ${CC:-cc} -O1 -fPIC -shared", o->folder);
        for (int i = 0; i < m.source_count; i++) {
            n += snprintf(command + n, sizeof command - (size_t)n, " %s", m.source[i]);
        }
        (void)snprintf(command + n, sizeof command - (size_t)n, " -lm -o ../built.so");
        if (system(command) != 0) {
            refuse("sources do not compile", command);
        }
    }
    void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!lib) {
        refuse("library", dlerror());
    }
    return lib;
}

// ---------------------------------------------------------------------------------------------
// calls: both versions behind the same few operations

typedef struct importer {
    void *lib;
    void *instance;
    double time;
} importer;

typedef void any_function(void);

static any_function *function(const importer *it, const char *name)
{
    void *symbol = dlsym(it->lib, name);
    any_function *f;
    if (!symbol) {
        refuse("function not exported", name);
    }
    memcpy(&f, &symbol, sizeof f); // POSIX: the same representation
    return f;
}

#define CALL(type, name, args) ((type(*) args)function(it, name))
#define OK(call, what) \
    do { \
        if ((call) != 0) { \
            refuse("status of", what); \
        } \
    } while (0)

typedef struct fmi2_callbacks {
    void (*log)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} fmi2_callbacks;

static int messages;

static void log3(void *environment, int status, const char *category, const char *text)
{
    (void)environment, (void)status;
    messages += category && text && *text;
}

static void log2_(void *environment, const char *name, int status, const char *category, const char *format, ...)
{
    (void)environment, (void)name, (void)status;
    messages += category && format && *format;
}

static const fmi2_callbacks callbacks = { log2_, calloc, free, NULL, NULL };

static void instantiate(importer *it, const char *token)
{
    if (m.version == 3) {
        it->instance = CALL(void *, "fmi3InstantiateCoSimulation",
                            (const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t,
                             void *, void (*)(void *, int, const char *, const char *), void (*)(void)))(
            "one", token, NULL, false, true, false, false, NULL, 0, NULL, log3, NULL);
    } else {
        it->instance = CALL(void *, "fmi2Instantiate",
                            (const char *, int, const char *, const char *, const fmi2_callbacks *, int, int))(
            "one", 1, token, "file:///", &callbacks, 0, 1);
    }
    it->time = 0.0;
}

static void initialize(importer *it)
{
    if (m.version == 3) {
        OK(CALL(int, "fmi3EnterInitializationMode", (void *, bool, double, double, bool, double))(
               it->instance, false, 0.0, 0.0, true, m.stop), "fmi3EnterInitializationMode");
        OK(CALL(int, "fmi3ExitInitializationMode", (void *))(it->instance), "fmi3ExitInitializationMode");
    } else {
        OK(CALL(int, "fmi2SetupExperiment", (void *, int, double, double, int, double))(it->instance, 0, 0.0, 0.0, 1,
                                                                                       m.stop), "fmi2SetupExperiment");
        OK(CALL(int, "fmi2EnterInitializationMode", (void *))(it->instance), "fmi2EnterInitializationMode");
        OK(CALL(int, "fmi2ExitInitializationMode", (void *))(it->instance), "fmi2ExitInitializationMode");
    }
}

static void set_real(const importer *it, uint32_t reference, double value)
{
    if (m.version == 3) {
        OK(CALL(int, "fmi3SetFloat64", (void *, const uint32_t *, size_t, const double *, size_t))(
               it->instance, &reference, 1, &value, 1), "fmi3SetFloat64");
    } else {
        OK(CALL(int, "fmi2SetReal", (void *, const unsigned *, size_t, const double *))(it->instance, &reference, 1,
                                                                                       &value), "fmi2SetReal");
    }
}

static double get_real(const importer *it, uint32_t reference)
{
    double value = (double)NAN;
    if (m.version == 3) {
        OK(CALL(int, "fmi3GetFloat64", (void *, const uint32_t *, size_t, double *, size_t))(it->instance, &reference, 1,
                                                                                            &value, 1), "fmi3GetFloat64");
    } else {
        OK(CALL(int, "fmi2GetReal", (void *, const unsigned *, size_t, double *))(it->instance, &reference, 1, &value),
           "fmi2GetReal");
    }
    return value;
}

static int get_integer(const importer *it, uint32_t reference)
{
    int32_t value = INT32_MIN;
    if (m.version == 3) {
        OK(CALL(int, "fmi3GetInt32", (void *, const uint32_t *, size_t, int32_t *, size_t))(it->instance, &reference, 1,
                                                                                           &value, 1), "fmi3GetInt32");
    } else {
        OK(CALL(int, "fmi2GetInteger", (void *, const unsigned *, size_t, int32_t *))(it->instance, &reference, 1,
                                                                                     &value), "fmi2GetInteger");
    }
    return (int)value;
}

// the status of one communication step; time moves on where it is 0
static int do_step(importer *it, double size)
{
    int status;
    if (m.version == 3) {
        bool event = true, terminate = true, early = true;
        double last = -1.0;
        status = CALL(int, "fmi3DoStep", (void *, double, double, bool, bool *, bool *, bool *, double *))(
            it->instance, it->time, size, true, &event, &terminate, &early, &last);
        const double end = status == 0 ? it->time + size : it->time;
        if (event || terminate || early || fabs(last - end) > 1e-9 * (1.0 + end)) {
            refuse("fmi3DoStep", "flags or lastSuccessfulTime");
        }
    } else {
        status = CALL(int, "fmi2DoStep", (void *, double, double, int))(it->instance, it->time, size, 1);
    }
    it->time += status == 0 ? size : 0.0;
    return status;
}

static void *save(const importer *it)
{
    void *state = NULL;
    OK(CALL(int, m.version == 3 ? "fmi3GetFMUState" : "fmi2GetFMUstate", (void *, void **))(it->instance, &state),
       "get of the state");
    return state;
}

static void restore(const importer *it, void *state)
{
    OK(CALL(int, m.version == 3 ? "fmi3SetFMUState" : "fmi2SetFMUstate", (void *, void *))(it->instance, state),
       "set of the state");
}

static void drop(const importer *it, void *state)
{
    OK(CALL(int, m.version == 3 ? "fmi3FreeFMUState" : "fmi2FreeFMUstate", (void *, void **))(it->instance, &state),
       "free of the state");
}

static void terminate(importer *it)
{
    OK(CALL(int, m.version == 3 ? "fmi3Terminate" : "fmi2Terminate", (void *))(it->instance), "terminate");
    CALL(void, m.version == 3 ? "fmi3FreeInstance" : "fmi2FreeInstance", (void *))(it->instance);
}

// ---------------------------------------------------------------------------------------------
// runs

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

static uint64_t hash_number(uint64_t hash, double value, int bits)
{
    const float narrow = (float)value;
    uint64_t word = 0;
    memcpy(&word, bits == 32 ? (const void *)&narrow : (const void *)&value, (size_t)bits / 8u);
    for (int i = 0; i < bits / 8; i++) {
        hash = (hash ^ (word >> (8 * i) & 0xffu)) * UINT64_C(1099511628211);
    }
    return hash;
}

// the thirteen numbers from every NAME.px on, in the order of the description
static uint64_t hash_states(const importer *it, uint64_t hash, int bits)
{
    for (int i = 0; i < m.count; i++) {
        if (!ends_with(m.variables[i].name, ".px")) {
            continue;
        }
        for (int k = 0; k < 13; k++) {
            hash = hash_number(hash, get_real(it, m.variables[i + k].reference), bits);
        }
    }
    return hash;
}

static void check_outputs(const importer *it)
{
    for (int i = 0; i < m.count; i++) {
        const variable *v = &m.variables[i];
        if (v->integer ? get_integer(it, v->reference) < -6 : !isfinite(get_real(it, v->reference))) {
            refuse("value of", v->name);
        }
    }
}

static void set_inputs(const importer *it, const options *o)
{
    for (int i = 0; i < o->input_count; i++) {
        const char *equals = strchr(o->input[i], '=');
        bool found = false;
        for (int k = 0; equals && k < m.count; k++) {
            const size_t n = (size_t)(equals - o->input[i]);
            if (strlen(m.variables[k].name) == n && strncmp(m.variables[k].name, o->input[i], n) == 0) {
                set_real(it, m.variables[k].reference, strtod(equals + 1, NULL));
                found = true;
            }
        }
        if (!found) {
            refuse("no such input", o->input[i]);
        }
    }
}

static uint64_t run(importer *it, const options *o, long steps)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (long k = 0; k < steps; k++) {
        set_inputs(it, o);
        if (do_step(it, m.step) != 0) {
            refuse("do step", "a step of the model's own size");
        }
        check_outputs(it);
        hash = hash_states(it, hash, o->bits);
    }
    return hash;
}

// a state brought back gives the same steps again; two steps at once are two steps
static void check_states(importer *it, const options *o)
{
    void *state = save(it);
    const double time = it->time;
    (void)run(it, o, 4);
    const uint64_t ahead = hash_states(it, 0, o->bits);
    restore(it, state);
    it->time = time;
    set_inputs(it, o);
    if (do_step(it, 2.0 * m.step) != 0 || do_step(it, 2.0 * m.step) != 0 || hash_states(it, 0, o->bits) != ahead) {
        refuse("states", "steps after a set differ from those after the get");
    }
    restore(it, state);
    it->time = time;
    drop(it, state);
}

// what the standard says an importer must not do is refused, with a message, and changes nothing
static void check_refusals(importer *it, const options *o)
{
    importer other = *it;
    instantiate(&other, "{not the token}");
    if (other.instance || messages != 1) {
        refuse("instantiate", "a wrong token was accepted, or refused without a message");
    }
    const uint64_t before = hash_states(it, 0, o->bits);
    if (do_step(it, 0.4 * m.step) == 0 || do_step(it, -m.step) == 0 || hash_states(it, 0, o->bits) != before ||
        messages != 3) {
        refuse("do step", "a size that is no multiple of the step was accepted");
    }
}

// the variable of a column at the end of the run
static double value_of(const importer *it, const char *column)
{
    for (int i = 0; i < m.count; i++) {
        const variable *v = &m.variables[i];
        if (strcmp(v->name, strcmp(column, "t") == 0 ? "time" : column) == 0) {
            return v->integer ? (double)get_integer(it, v->reference) : get_real(it, v->reference);
        }
    }
    refuse("no variable for the column", column);
}

static void check_row(const importer *it, char *header, char *row, int bits)
{
    char *name_rest, *cell_rest;
    const char *name = strtok_r(header, ",\n", &name_rest), *cell = strtok_r(row, ",\n", &cell_rest);
    int columns = 0;
    for (; name && cell; name = strtok_r(NULL, ",\n", &name_rest), cell = strtok_r(NULL, ",\n", &cell_rest)) {
        // the same bits, but for the time: sums of steps against a product
        const double read = bits == 32 ? (double)strtof(cell, NULL) : strtod(cell, NULL);
        if (fabs(value_of(it, name) - read) > (columns++ ? 0.0 : 1e-6)) {
            refuse("differs from the column", name);
        }
    }
    // all of both: inputs have no column
    int outputs = 1;
    for (int i = 0; i < m.count; i++) {
        outputs += m.variables[i].causality == 'o';
    }
    if (name || cell || columns != outputs) {
        refuse("columns and outputs", "their numbers differ");
    }
}

static void check_csv(const importer *it, const char *file, int bits)
{
    static char header[1 << 16], row[1 << 16], line[1 << 16];
    FILE *in = fopen(file, "r");
    if (!in || !fgets(header, sizeof header, in)) {
        refuse("no CSV", file);
    }
    while (fgets(line, sizeof line, in)) {
        strcpy(row, line);
    }
    fclose(in);
    check_row(it, header, row, bits);
}

static bool parse(options *o, int argc, char **argv)
{
    *o = (options){ .bits = 64, .file = argc > 1 ? argv[1] : NULL, .folder = argc > 2 ? argv[2] : NULL };
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--binary") == 0) {
            o->binary = true;
        } else if (strcmp(argv[i], "--bits") == 0 && i + 1 < argc) {
            o->bits = atoi(argv[++i]);
        } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
            o->csv = argv[++i];
        } else if (strcmp(argv[i], "--input") == 0 && i + 1 < argc && o->input_count < 16) {
            o->input[o->input_count++] = argv[++i];
        } else {
            return false;
        }
    }
    return o->folder && (o->bits == 32 || o->bits == 64);
}

int main(int argc, char **argv)
{
    options o;
    importer it = { .instance = NULL };
    if (!parse(&o, argc, argv)) {
        fputs("usage: check_fmu FILE.fmu FOLDER [--bits 32] [--binary] [--input NAME=VALUE ...] [--csv RUN.csv]\n", stderr);
        return 2;
    }
    unpack(&o);
    it.lib = library(&o);
    const char *version = ((const char *(*)(void))function(&it, m.version == 3 ? "fmi3GetVersion" : "fmi2GetVersion"))();
    if (atoi(version) != m.version || (m.version == 3 && fabs(m.fixed_step - m.step) > 0.0)) {
        refuse("version or step", version);
    }
    instantiate(&it, m.token);
    if (!it.instance) {
        refuse("instantiate", "the token of the description was refused");
    }
    if (do_step(&it, m.step) == 0) {
        refuse("do step", "accepted before the initialization");
    }
    messages = 0;
    initialize(&it);
    check_outputs(&it);
    check_refusals(&it, &o);
    check_states(&it, &o);
    printf("FMI %s, %d variables\nhash: %016llx\n", version, m.count,
           (unsigned long long)run(&it, &o, lround(m.stop / m.step)));
    if (o.csv) {
        check_csv(&it, o.csv, o.bits);
    }
    terminate(&it);
    return 0;
}
