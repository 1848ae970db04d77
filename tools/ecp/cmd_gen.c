// ecp gen FILE -o OUT.c: a scenario as constant C data for a target (firmware/common/scene_data.h).
// ecp gen FILE --fmu OUT.fmu: the same as a functional mock-up unit.
#include "commands.h"
#include "fmu.h"
#include "run.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: ecp gen FILE -o OUT.c [--name NAME] [--hash]\n"
    "       ecp gen FILE --fmu OUT.fmu [--fmi 2|3] [--no-binary] [--name NAME]\n"
    "  -o OUT.c     the C file to write; - for stdout\n"
    "  --name NAME  the data is called scene_NAME; default: from the name of the file\n"
    "  --hash       run the scenario and add the hash a target with the same real type must reach\n"
    "  --fmu OUT    a functional mock-up unit for co-simulation: wrenches in; states, ECP, margins out\n"
    "  --fmi 2|3    version of that standard; default 3\n"
    "  --no-binary  C sources alone; otherwise the compiler of CC, or cc, adds a binary of this machine\n"
    "Use: #include \"scene_data.h\", scene_init(&scene_NAME, &world), then scene_step in a loop.\n";

typedef struct arguments {
    const char *file, *out, *fmu;
    char name[64];
    int fmi;
    bool hash, help, no_binary;
} arguments;

// ---------------------------------------------------------------------------------------------
// arguments

// letters, digits and _ of the last part of a path, without its ending
static bool name_from(char name[64], const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    const size_t length = dot && dot != start ? (size_t)(dot - start) : strlen(start);
    if (length == 0 || length > 63) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        name[i] = (char)(isalnum((unsigned char)start[i]) ? start[i] : '_');
    }
    name[length] = '\0';
    return true;
}

static bool name_given(char name[64], const char *word)
{
    return strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               strlen(word) &&
           name_from(name, word);
}

// an option with a value
static int take_value(arguments *a, const char **name, const char *word, const char *value)
{
    if (strcmp(word, "-o") == 0) {
        a->out = value;
    } else if (strcmp(word, "--name") == 0) {
        *name = value;
    } else if (strcmp(word, "--fmu") == 0) {
        a->fmu = value;
    } else if (strcmp(value, "2") == 0 || strcmp(value, "3") == 0) {
        a->fmi = value[0] - '0';
    } else {
        return usage_error("gen", "unknown version of the standard", value, "--fmi 2 or --fmi 3");
    }
    return EXIT_DONE;
}

static int parse(arguments *a, int argc, char **argv)
{
    const char *name = NULL;
    *a = (arguments){ .fmi = 3 };
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        const bool valued = strcmp(word, "-o") == 0 || strcmp(word, "--name") == 0 ||
                            strcmp(word, "--fmu") == 0 || strcmp(word, "--fmi") == 0;
        if (valued && i + 1 >= argc) {
            return usage_error("gen", "a value is missing after", word, usage + 7);
        }
        if (valued) {
            if (take_value(a, &name, word, argv[++i]) != EXIT_DONE) {
                return EXIT_USAGE;
            }
        } else if (strcmp(word, "--no-binary") == 0) {
            a->no_binary = true;
        } else if (strcmp(word, "--hash") == 0) {
            a->hash = true;
        } else if (strcmp(word, "--help") == 0) {
            a->help = true;
        } else if (word[0] == '-' || a->file) {
            return usage_error("gen", "unexpected", word, "one FILE and options of ecp gen --help");
        } else {
            a->file = word;
        }
    }
    if (a->help) {
        return EXIT_DONE;
    }
    if (!a->file || (!a->out && !a->fmu)) {
        return usage_error("gen", "no file", a->file ? "-o" : "FILE", "ecp gen FILE -o OUT.c");
    }
    if (name ? !name_given(a->name, name) : !name_from(a->name, a->file)) {
        return usage_error("gen", "no name for C", name ? name : a->file,
                           "at most 63 letters, digits and _");
    }
    return EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------
// numbers

// digits that read back to the same bits, always with a point or exponent so that -0 keeps its sign
static void print_real(FILE *out, ecp_real x)
{
    char text[40];
    (void)snprintf(text, sizeof text, ECP_REAL_BITS == 32 ? "%.9g" : "%.17g", (double)x);
    fprintf(out, "R(%s%s)", text, strpbrk(text, ".e") ? "" : ".0");
}

static void print_reals(FILE *out, const ecp_real *x, int count)
{
    fputs("{ ", out);
    for (int i = 0; i < count; i++) {
        print_real(out, x[i]);
        fputs(i + 1 < count ? ", " : " }", out);
    }
}

static void print_vec3(FILE *out, ecp_vec3 v)
{
    const ecp_real x[3] = { v.x, v.y, v.z };
    print_reals(out, x, 3);
}

static void print_field(FILE *out, const char *name, const ecp_real *x, int count)
{
    fprintf(out, ", .%s = ", name);
    print_reals(out, x, count);
}

static void print_vec3_field(FILE *out, const char *name, ecp_vec3 v)
{
    fprintf(out, ", .%s = ", name);
    print_vec3(out, v);
}

// ---------------------------------------------------------------------------------------------
// tables

static void print_polytope(FILE *out, const char *name, int i, const ecp_shape *shape)
{
    fprintf(out, "static const ecp_plane %s_planes_%d[] = {\n", name, i);
    for (int k = 0; k < shape->plane_count; k++) {
        fputs("    { ", out);
        print_vec3(out, shape->planes[k].n);
        fputs(", ", out);
        print_real(out, shape->planes[k].d);
        fputs(" },\n", out);
    }
    fprintf(out, "};\nstatic const ecp_vec3 %s_vertices_%d[] = {\n", name, i);
    for (int k = 0; k < shape->vertex_count; k++) {
        fputs("    ", out);
        print_vec3(out, shape->vertices[k]);
        fputs(",\n", out);
    }
    fputs("};\n", out);
}

static void print_shapes(FILE *out, const char *name, const scene_data *s)
{
    static const char *const kinds[] = { "0",        "HALFSPACE", "BOX",     "ELLIPSOID",
                                         "CYLINDER", "CONE",      "POLYTOPE" };
    for (int i = 0; i < s->body_count; i++) {
        if (s->bodies[i].shape->kind == ECP_SHAPE_POLYTOPE) {
            print_polytope(out, name, i, s->bodies[i].shape);
        }
    }
    fprintf(out, "static const ecp_shape %s_shapes[] = {\n", name);
    for (int i = 0; i < s->body_count; i++) {
        const ecp_shape *shape = s->bodies[i].shape;
        fprintf(out, "    { .kind = ECP_SHAPE_%s", kinds[shape->kind]);
        print_vec3_field(out, "size", shape->size);
        fputs(", .offset = ", out);
        print_real(out, shape->offset);
        if (shape->kind == ECP_SHAPE_POLYTOPE) {
            fprintf(out, ", .plane_count = %d, .planes = %s_planes_%d, .vertex_count = %d, "
                    ".vertices = %s_vertices_%d", shape->plane_count, name, i,
                    shape->vertex_count, name, i);
        }
        fputs(" },\n", out);
    }
    fputs("};\n", out);
}

static void print_bodies(FILE *out, const char *name, const scene_data *s)
{
    static const char *const kinds[] = { "0", "FIXED", "KINEMATIC", "DYNAMIC" };
    fprintf(out, "static const ecp_body_def %s_bodies[] = {\n", name);
    for (int i = 0; i < s->body_count; i++) {
        const ecp_body_def *b = &s->bodies[i];
        const ecp_quat q = b->state.orientation;
        fprintf(out, "    { .kind = ECP_%s, .shape = &%s_shapes[%d], .mass = ", kinds[b->kind],
                name, i);
        print_real(out, b->mass);
        print_field(out, "inertia", b->inertia, 6);
        fprintf(out, ", .lock = %uu,\n      .state = { .position = ", b->lock);
        print_vec3(out, b->state.position);
        print_field(out, "orientation", (const ecp_real[4]){ q.w, q.x, q.y, q.z }, 4);
        print_vec3_field(out, "velocity", b->state.velocity);
        print_vec3_field(out, "angular_velocity", b->state.angular_velocity);
        fputs(" } },\n", out);
    }
    fputs("};\n", out);
}

static void print_contacts(FILE *out, const char *name, const scene_data *s)
{
    fprintf(out, "static const ecp_contact_def %s_contacts[] = {\n", name);
    for (int i = 0; i < s->contact_count; i++) {
        const ecp_contact_def *c = &s->contacts[i];
        fprintf(out, "    { .a = %d, .b = %d, .mu = ", c->a, c->b);
        print_real(out, c->mu);
        print_field(out, "e", c->e, 3);
        print_vec3_field(out, "axis", c->axis);
        fputs(" },\n", out);
    }
    fputs("};\n", out);
}

static void print_wrenches(FILE *out, const char *name, const scene_data *s)
{
    fprintf(out, "static const scene_wrench %s_wrenches[] = {\n", name);
    for (int i = 0; i < s->wrench_count; i++) {
        const scene_wrench *w = &s->wrenches[i];
        fprintf(out, "    { .body = %d, .first = %" PRIu32 "u, .end = %" PRIu32 "u, "
                ".turn = UINT64_C(0x%016" PRIx64 ")", w->body, w->first, w->end, w->turn);
        print_field(out, "constant", w->constant, 6);
        print_field(out, "sine", w->sine, 6);
        print_field(out, "cosine", w->cosine, 6);
        fputs(" },\n", out);
    }
    fputs("};\n", out);
}

static void print_impulses(FILE *out, const char *name, const scene_data *s)
{
    static const char *const components[] = { "VX", "VY", "VZ", "WX", "WY", "WZ" };
    fprintf(out, "static const scene_impulse %s_impulses[] = {\n", name);
    for (int i = 0; i < s->impulse_count; i++) {
        const scene_impulse *p = &s->impulses[i];
        fprintf(out, "    { .body = %d, .triggered = %s, .step = %" PRIu32 "u, "
                ".component = SCENE_%s, .at_most = %s, .level = ", p->body,
                p->triggered ? "true" : "false", p->step, components[p->component],
                p->at_most ? "true" : "false");
        print_real(out, p->level);
        print_field(out, "value", p->value, 6);
        fputs(" },\n", out);
    }
    fputs("};\n", out);
}

static void print_count(FILE *out, const char *name, const char *one, const char *many, int count)
{
    fprintf(out, "    .%s_count = %d,\n    .%s = ", one, count, many);
    if (count > 0) {
        fprintf(out, "%s_%s,\n", name, many);
    } else {
        fputs("NULL,\n", out);
    }
}

static void print_scene(FILE *out, const char *name, const scene_data *s, uint64_t hash)
{
    fprintf(out, "extern const scene_data scene_%s;\nconst scene_data scene_%s = {\n    .name = \"%s\",\n"
            "    .h = ", name, name, name);
    print_real(out, s->h);
    fprintf(out, ",\n    .steps = %" PRIu32 "u,\n    .settings = { .gravity = ", s->steps);
    print_vec3(out, s->settings.gravity);
    fputs(", .tolerance = ", out);
    print_real(out, s->settings.tolerance);
    fputs(", .recovery_speed = ", out);
    print_real(out, s->settings.recovery_speed);
    fputs(" },\n", out);
    print_count(out, name, "body", "bodies", s->body_count);
    print_count(out, name, "contact", "contacts", s->contact_count);
    print_count(out, name, "wrench", "wrenches", s->wrench_count);
    print_count(out, name, "impulse", "impulses", s->impulse_count);
    fprintf(out, "    .hash = ECP_REAL_BITS == %d ? UINT64_C(0x%016" PRIx64 ") : 0,\n};\n",
            ECP_REAL_BITS, hash);
}

void gen_scene(FILE *out, const char *name, const scene_data *s, uint64_t hash)
{
    fprintf(out, "// Written by ecp gen (profile %s, %d-bit reals). Do not edit: edit the scenario.\n"
            "#include \"scene_data.h\"\n\n#define R(x) ((ecp_real)(x))\n\n", ECP_PROFILE_NAME,
            ECP_REAL_BITS);
    if (s->body_count > 0) {
        print_shapes(out, name, s);
        print_bodies(out, name, s);
    }
    if (s->contact_count > 0) {
        print_contacts(out, name, s);
    }
    if (s->wrench_count > 0) {
        print_wrenches(out, name, s);
    }
    if (s->impulse_count > 0) {
        print_impulses(out, name, s);
    }
    print_scene(out, name, s, hash);
    fputs("\n#undef R\n", out);
}

// ---------------------------------------------------------------------------------------------

static FILE *open_output(const char *path, const char *expected)
{
    FILE *out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "%s:1: the file cannot be written (%s); expected %s\n", path, strerror(errno), expected);
    }
    return out;
}

static int close_output(FILE *out, const char *path, bool bad)
{
    bad = ferror(out) != 0 || bad;
    if (fclose(out) != 0 || bad) {
        fprintf(stderr, "%s:1: the file cannot be written; expected room for it\n", path);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int write_data(const arguments *a, const scene_data *s, uint64_t hash)
{
    if (strcmp(a->out, "-") == 0) {
        gen_scene(stdout, a->name, s, hash);
        return EXIT_DONE;
    }
    FILE *out = open_output(a->out, "a place for the C file");
    if (!out) {
        return EXIT_USAGE;
    }
    gen_scene(out, a->name, s, hash);
    return close_output(out, a->out, false);
}

static int write_fmu(const arguments *a, const scenario *s)
{
    const fmu_options options = { a->name, a->fmi, !a->no_binary };
    if (isdigit((unsigned char)a->name[0])) {
        return usage_error("gen", "a model cannot be called", a->name, "--name NAME, a letter or _ first");
    }
    FILE *out = open_output(a->fmu, "a place for the FMU");
    if (!out) {
        return EXIT_USAGE;
    }
    return close_output(out, a->fmu, !fmu_write(out, s, &options));
}

static int write_files(const arguments *a, const scenario *s, uint64_t hash)
{
    int status = a->out ? write_data(a, &s->scene, hash) : EXIT_DONE;
    if (status == EXIT_DONE && a->fmu) {
        status = write_fmu(a, s);
    }
    return status;
}

int cmd_gen(int argc, char **argv)
{
    arguments a;
    scenario s;
    ecp_world *world;
    run_result result = { .hash = 0 };
    if (parse(&a, argc, argv) != EXIT_DONE) {
        return EXIT_USAGE;
    }
    if (a.help) {
        fputs(usage, stdout);
        return EXIT_DONE;
    }
    if (!open_scenario(&s, &world, a.file)) {
        return EXIT_USAGE;
    }
    int status = EXIT_DONE;
    const run_options options = { .steps = -1 };
    if (a.hash && !run_scenario(&result, &s, world, &options)) {
        fprintf(stderr, "%s:1: step %ld was refused: %s; expected steps that can be taken\n", a.file,
                result.steps, ecp_status_name(result.status));
        status = EXIT_FAILED;
    } else {
        status = write_files(&a, &s, result.hash);
    }
    close_scenario(&s, world);
    return status;
}
