#define _XOPEN_SOURCE 700
#include "fmu.h"

#include "hash.h"
#include "zip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// files the command carries along, embedded by the build
extern const unsigned char fmu_ecp_c[], fmu_ecp_h[], fmu_scene_data_c[], fmu_scene_data_h[], fmu_model_c[],
    fmu_model_h[], fmu_fmi2_c[], fmu_fmi3_c[];
extern const size_t fmu_ecp_c_size, fmu_ecp_h_size, fmu_scene_data_c_size, fmu_scene_data_h_size, fmu_model_c_size,
    fmu_model_h_size, fmu_fmi2_c_size, fmu_fmi3_c_size;

// folder of binaries that the standard gives this machine; NULL: none
#if defined(__linux__) && defined(__x86_64__)
static const char *const platforms[4] = { NULL, NULL, "linux64", "x86_64-linux" };
#elif defined(__linux__) && defined(__aarch64__)
static const char *const platforms[4] = { NULL, NULL, NULL, "aarch64-linux" };
#else
static const char *const platforms[4] = { NULL, NULL, NULL, NULL };
#endif

// the same bits whatever compiler an importer takes
static const char exact[] = "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n#elif defined(__GNUC__)\n"
                            "#pragma GCC optimize(\"fp-contract=off\")\n#endif\n";

enum { SOURCES = 9 };

typedef struct text {
    char *at;
    size_t size;
    FILE *out;
} text;

static void text_start(text *t)
{
    *t = (text){ NULL, 0, NULL };
    t->out = open_memstream(&t->at, &t->size);
    if (!t->out) {
        abort();
    }
}

static void text_end(text *t)
{
    if (fclose(t->out) != 0) {
        abort();
    }
}

// ---------------------------------------------------------------------------------------------
// sources

// names the model to whoever instantiates it: made from all that decides what it does
static void make_token(char token[40], const fmu_options *o, const text *scene)
{
    const uint64_t data = hash_bytes(HASH_START, (const unsigned char *)scene->at, scene->size);
    const uint64_t code = hash_bytes(hash_bytes(HASH_START + (uint64_t)o->version, fmu_ecp_c, fmu_ecp_c_size),
                                     fmu_ecp_h, fmu_ecp_h_size);
    (void)snprintf(token, 40, "{%08" PRIx32 "-%04x-%04x-%04x-%012" PRIx64 "}", (uint32_t)(data >> 32),
                   (unsigned)(data >> 16 & 0xffffu), (unsigned)(data & 0xffffu), (unsigned)(code >> 48),
                   code & UINT64_C(0xffffffffffff));
}

static void print_scene_header(FILE *out, const fmu_options *o, const char *token, double h)
{
    fprintf(out, "// which scenario this model is\n#ifndef FMU_SCENE\n#include \"scene_data.h\"\n\n"
            "extern const scene_data scene_%s;\n#define FMU_SCENE scene_%s\n#define FMU_STEP %.17g\n#define FMU_TOKEN \"%s\"\n\n#endif\n",
            o->name, o->name, h, token);
}

static void list_sources(fmu_member list[SOURCES], const fmu_options *o, const text *scene, const text *header,
                         const text *loads)
{
    const bool two = o->version == 2;
    const fmu_member members[SOURCES] = {
        { "ecp.c", (const char *)fmu_ecp_c, fmu_ecp_c_size },
        { "scene_data.c", loads->at, loads->size },
        { "fmu_model.c", (const char *)fmu_model_c, fmu_model_c_size },
        { "scene.c", scene->at, scene->size },
        { two ? "fmi2.c" : "fmi3.c", (const char *)(two ? fmu_fmi2_c : fmu_fmi3_c), two ? fmu_fmi2_c_size : fmu_fmi3_c_size },
        { "ecp.h", (const char *)fmu_ecp_h, fmu_ecp_h_size },
        { "scene_data.h", (const char *)fmu_scene_data_h, fmu_scene_data_h_size },
        { "fmu_model.h", (const char *)fmu_model_h, fmu_model_h_size },
        { "fmu_scene.h", header->at, header->size },
    };
    memcpy(list, members, sizeof members);
}

// ---------------------------------------------------------------------------------------------
// binary

static bool write_text(const char *folder, const fmu_member *m)
{
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s", folder, m->name);
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(m->text, 1, m->size, out) == m->size;
    if (out) {
        ok = fclose(out) == 0 && ok;
    }
    return ok;
}

static bool read_binary(const char *folder, text *binary)
{
    char path[400], block[4096];
    (void)snprintf(path, sizeof path, "%s/model.so", folder);
    FILE *in = fopen(path, "rb");
    if (!in) {
        return false;
    }
    text_start(binary);
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;) {
        fwrite(block, 1, n, binary->out);
    }
    text_end(binary);
    const bool ok = ferror(in) == 0 && binary->size > 0;
    fclose(in);
    if (!ok) {
        free(binary->at);
    }
    return ok;
}

static void remove_all(const char *folder, const fmu_member *sources)
{
    char path[400];
    for (int i = 0; i < SOURCES; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, sources[i].name);
        (void)remove(path);
    }
    (void)snprintf(path, sizeof path, "%s/model.so", folder);
    (void)remove(path);
    (void)rmdir(folder);
}

// compile the sources in a folder of their own; false: no compiler, or it failed
static bool compile(const fmu_member *sources, text *binary)
{
    char folder[] = "/tmp/ecp-fmu-XXXXXX", command[600];
    if (!mkdtemp(folder)) {
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i < SOURCES; i++) {
        ok = write_text(folder, &sources[i]);
    }
    (void)snprintf(command, sizeof command, "cd %s && ${CC:-cc} -std=c11 -O2 -fPIC -shared -fvisibility=hidden "
                   "-ffp-contract=off -fno-math-errno *.c -lm -o model.so >/dev/null 2>&1", folder);
    ok = ok && system(command) == 0 && read_binary(folder, binary);
    remove_all(folder, sources);
    return ok;
}

static void add_binary(zip *z, const fmu_options *o, const fmu_member *sources)
{
    const char *platform = platforms[o->version];
    char name[160];
    text binary;
    if (!o->binary) {
        return;
    }
    if (!platform || !compile(sources, &binary)) {
        fprintf(stderr, "ecp gen: no binary in the FMU, its sources alone: %s\n",
                platform ? "the compiler of CC, or cc, is not there or failed" : "not for this kind of machine");
        return;
    }
    (void)snprintf(name, sizeof name, "binaries/%s/%s.so", platform, o->name);
    zip_add(z, name, binary.at, binary.size);
    free(binary.at);
}

// ---------------------------------------------------------------------------------------------

static void add_text(zip *z, const char *name, text *t)
{
    zip_add(z, name, t->at, t->size);
    free(t->at);
}

static void add_descriptions(zip *z, const scenario *s, const fmu_options *o, const char *token, const fmu_member *sources)
{
    text t;
    text_start(&t);
    fmu_print_model(t.out, s, o, token, sources, SOURCES);
    text_end(&t);
    add_text(z, "modelDescription.xml", &t);
    if (o->version == 3) {
        text_start(&t);
        fmu_print_build(t.out, o, sources, SOURCES);
        text_end(&t);
        add_text(z, "sources/buildDescription.xml", &t);
    }
}

bool fmu_write(FILE *out, const scenario *s, const fmu_options *o)
{
    text scene, header, loads;
    char token[40], name[64];
    fmu_member sources[SOURCES];
    zip z;
    text_start(&scene);
    gen_scene(scene.out, o->name, &s->scene, 0);
    text_end(&scene);
    make_token(token, o, &scene);
    text_start(&header);
    print_scene_header(header.out, o, token, s->h);
    text_end(&header);
    text_start(&loads);
    fputs(exact, loads.out);
    fwrite(fmu_scene_data_c, 1, fmu_scene_data_c_size, loads.out);
    text_end(&loads);
    list_sources(sources, o, &scene, &header, &loads);
    zip_start(&z, out);
    add_descriptions(&z, s, o, token, sources);
    for (int i = 0; i < SOURCES; i++) {
        (void)snprintf(name, sizeof name, "sources/%s", sources[i].name);
        zip_add(&z, name, sources[i].text, sources[i].size);
    }
    add_binary(&z, o, sources);
    free(scene.at);
    free(header.at);
    free(loads.at);
    return zip_finish(&z);
}
