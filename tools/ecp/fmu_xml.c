// The descriptions in a functional mock-up unit: which variables the model has and which files make it.
#include "fmu.h"

#include "fmu_model.h"

#include <string.h>

typedef struct variable_spec {
    const char *name, *unit; // unit "": a number without one; NULL: a whole number
} variable_spec;

static const variable_spec of_head[FMU_HEAD] = {
    { "time", "s" },  { "residual", "" }, { "gap_min", "m" }, { "energy", "J" }, { "status", NULL },
    { "iterations", NULL },
};
static const variable_spec of_body[FMU_BODY_VALUES] = {
    { "fx", "N" },     { "fy", "N" },     { "fz", "N" },     { "tx", "N.m" },   { "ty", "N.m" },
    { "tz", "N.m" },   { "px", "m" },     { "py", "m" },     { "pz", "m" },     { "qw", "" },
    { "qx", "" },      { "qy", "" },      { "qz", "" },      { "vx", "m/s" },   { "vy", "m/s" },
    { "vz", "m/s" },   { "wx", "rad/s" }, { "wy", "rad/s" }, { "wz", "rad/s" },
};
static const variable_spec of_contact[FMU_CONTACT_VALUES] = {
    { "mode", NULL }, { "patch", NULL }, { "ax", "m" },    { "ay", "m" },    { "az", "m" },
    { "nx", "" },     { "ny", "" },      { "nz", "" },     { "tx", "" },     { "ty", "" },
    { "tz", "" },     { "gap", "m" },    { "pn", "N.s" },  { "pt", "N.s" },  { "po", "N.s" },
    { "pr", "N.m.s" }, { "sigma", "m/s" }, { "edge", "m" }, { "reserve", "" },
};
static const char units[] =
    "  <UnitDefinitions>\n"
    "    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n"
    "    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n"
    "    <Unit name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/></Unit>\n"
    "    <Unit name=\"rad/s\"><BaseUnit s=\"-1\" rad=\"1\"/></Unit>\n"
    "    <Unit name=\"N\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\"/></Unit>\n"
    "    <Unit name=\"N.m\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/></Unit>\n"
    "    <Unit name=\"N.s\"><BaseUnit kg=\"1\" m=\"1\" s=\"-1\"/></Unit>\n"
    "    <Unit name=\"N.m.s\"><BaseUnit kg=\"1\" m=\"2\" s=\"-1\"/></Unit>\n"
    "    <Unit name=\"J\"><BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/></Unit>\n"
    "  </UnitDefinitions>\n";

// ---------------------------------------------------------------------------------------------
// text

// bytes of a well-formed UTF-8 character, 0: none
static size_t character(const unsigned char *s)
{
    const size_t n = *s < 0x80u ? 1u : *s >= 0xc2u && *s < 0xe0u ? 2u : *s >= 0xe0u && *s < 0xf0u ? 3u
                     : *s >= 0xf0u && *s < 0xf5u ? 4u : 0u;
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0u) != 0x80u) {
            return 0;
        }
    }
    return n;
}

static void print_escaped(FILE *out, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const size_t n = character(s);
        switch (*s) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if (n == 0 || *s < 0x20u || *s == 0x7fu) {
                fputc('?', out);
            } else {
                fwrite(s, 1, n, out);
            }
        }
        s += n ? n : 1u;
    }
}

// ---------------------------------------------------------------------------------------------
// variables

typedef struct visitor {
    FILE *out;
    int version, index; ///< of the last variable, from 1
    void (*visit)(struct visitor *v, const char *owner, const variable_spec *spec, unsigned reference);
} visitor;

static bool is_input(unsigned reference)
{
    return reference >= FMU_BODY && reference < FMU_CONTACT && (reference - FMU_BODY) % FMU_STRIDE < FMU_INPUTS;
}

static void visit_some(visitor *v, const char *owner, const variable_spec *specs, int count, unsigned first)
{
    for (int i = 0; i < count; i++) {
        v->index++;
        v->visit(v, owner, &specs[i], first + (unsigned)i);
    }
}

// every variable in the order of the description
static void visit_all(visitor *v, const scenario *s)
{
    visit_some(v, "", of_head, FMU_HEAD, 0);
    for (int i = 0; i < s->scene.body_count; i++) {
        if (s->scene.bodies[i].kind == ECP_DYNAMIC) {
            visit_some(v, s->bodies[i].name, of_body, FMU_BODY_VALUES, FMU_BODY + (unsigned)i * FMU_STRIDE);
        }
    }
    for (int k = 0; k < s->scene.contact_count; k++) {
        char owner[16];
        (void)snprintf(owner, sizeof owner, "c%d", k);
        visit_some(v, owner, of_contact, FMU_CONTACT_VALUES, FMU_CONTACT + (unsigned)k * FMU_STRIDE);
    }
}

static void print_name(FILE *out, const char *owner, const variable_spec *spec, unsigned reference)
{
    fprintf(out, "name=\"%s%s%s\" valueReference=\"%u\"", owner, *owner ? "." : "", spec->name, reference);
}

static void print_variable(visitor *v, const char *owner, const variable_spec *spec, unsigned reference)
{
    const char *unit = spec->unit ? spec->unit : "";
    const char *causality = reference == FMU_TIME ? "independent" : is_input(reference) ? "input" : "output";
    const char *variability = spec->unit ? "continuous" : "discrete";
    const char *initial = reference == FMU_TIME || is_input(reference) ? "" : " initial=\"calculated\"";
    const char *type = v->version == 3 ? (spec->unit ? "Float64" : "Int32") : (spec->unit ? "Real" : "Integer");
    fprintf(v->out, "    <%s ", v->version == 3 ? type : "ScalarVariable");
    print_name(v->out, owner, spec, reference);
    fprintf(v->out, " causality=\"%s\" variability=\"%s\"%s", causality, variability, initial);
    if (v->version == 2) {
        fprintf(v->out, "><%s", type);
    }
    if (*unit) {
        fprintf(v->out, " unit=\"%s\"", unit);
    }
    fprintf(v->out, "%s/>%s\n", is_input(reference) ? " start=\"0\"" : "", v->version == 2 ? "</ScalarVariable>" : "");
}

static void print_unknown(FILE *out, const visitor *v, const char *element, unsigned reference)
{
    if (reference == FMU_TIME || is_input(reference)) {
        return;
    }
    if (v->version == 3) {
        fprintf(out, "    <%s valueReference=\"%u\"/>\n", element, reference);
    } else {
        fprintf(out, "      <Unknown index=\"%d\"/>\n", v->index);
    }
}

static void print_output(visitor *v, const char *owner, const variable_spec *spec, unsigned reference)
{
    (void)owner, (void)spec;
    print_unknown(v->out, v, "Output", reference);
}

static void print_initial(visitor *v, const char *owner, const variable_spec *spec, unsigned reference)
{
    (void)owner, (void)spec;
    print_unknown(v->out, v, "InitialUnknown", reference);
}

// ---------------------------------------------------------------------------------------------
// files

static void print_head(FILE *out, const scenario *s, const fmu_options *o, const char *token,
                       const fmu_member *sources, int count)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\" modelName=\"%s\" "
            "%s=\"%s\" description=\"", o->version, o->name, o->version == 3 ? "instantiationToken" : "guid", token);
    print_escaped(out, s->title ? s->title : "");
    fprintf(out, "\" generationTool=\"ecpredict %s\" variableNamingConvention=\"structured\">\n"
            "  <CoSimulation modelIdentifier=\"%s\"", ecp_version(), o->name);
    if (o->version == 3) {
        fprintf(out, " canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\" "
                "canHandleVariableCommunicationStepSize=\"true\" fixedInternalStepSize=\"%.17g\"/>\n", s->h);
        return;
    }
    fputs(" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
          "canNotUseMemoryManagementFunctions=\"true\">\n    <SourceFiles>\n", out);
    for (int i = 0; i < count; i++) {
        if (strstr(sources[i].name, ".c")) {
            fprintf(out, "      <File name=\"%s\"/>\n", sources[i].name);
        }
    }
    fputs("    </SourceFiles>\n  </CoSimulation>\n", out);
}

void fmu_print_model(FILE *out, const scenario *s, const fmu_options *o, const char *token,
                     const fmu_member *sources, int count)
{
    visitor v = { out, o->version, 0, print_variable };
    print_head(out, s, o, token, sources, count);
    fputs(units, out);
    fprintf(out, "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n  </LogCategories>\n"
            "  <DefaultExperiment startTime=\"0\" stopTime=\"%.17g\" stepSize=\"%.17g\"/>\n  <ModelVariables>\n",
            (double)s->steps * s->h, s->h);
    visit_all(&v, s);
    fputs("  </ModelVariables>\n  <ModelStructure>\n", out);
    fputs(o->version == 2 ? "    <Outputs>\n" : "", out);
    v = (visitor){ out, o->version, 0, print_output };
    visit_all(&v, s);
    fputs(o->version == 2 ? "    </Outputs>\n    <InitialUnknowns>\n" : "", out);
    v = (visitor){ out, o->version, 0, print_initial };
    visit_all(&v, s);
    fputs(o->version == 2 ? "    </InitialUnknowns>\n" : "", out);
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", out);
}

void fmu_print_build(FILE *out, const fmu_options *o, const fmu_member *sources, int count)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
            "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C11\">\n", o->name);
    for (int i = 0; i < count; i++) {
        if (strstr(sources[i].name, ".c")) {
            fprintf(out, "      <SourceFile name=\"%s\"/>\n", sources[i].name);
        }
    }
    fputs("    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n  </BuildConfiguration>\n"
          "</fmiBuildDescription>\n", out);
}
