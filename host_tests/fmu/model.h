// model.h - what a modelDescription.xml says, read and checked against the rules of the standard.
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include "archive.h"
#include "xml.h"

enum { MAX_VARIABLES = 2000, MAX_SOURCES = 32 };

typedef struct variable {
    char name[128];
    unsigned reference;
    char causality; // i input, o output, t independent
    bool integer, is_output, is_initial;
} variable;

typedef struct model {
    int version, count, source_count;
    char name[64], token[64], identifier[64];
    char source[MAX_SOURCES][64];
    double step, stop, fixed_step;
    bool structure_wrong;
    variable variables[MAX_VARIABLES];
} model;

static _Noreturn void refuse(const char *what, const char *which)
{
    printf("FAIL %s: %s\n", what, which);
    exit(1);
}

static const char *need(const xml_element *e, const char *attribute)
{
    const char *value = xml_get(e, attribute);
    if (!value || !*value) {
        refuse("missing attribute", attribute);
    }
    return value;
}

static void copy(char *to, const char *from, size_t room)
{
    if (strlen(from) >= room) {
        refuse("too long", from);
    }
    strcpy(to, from);
}

static variable *by_reference(model *m, unsigned reference)
{
    for (int i = 0; i < m->count; i++) {
        if (m->variables[i].reference == reference) {
            return &m->variables[i];
        }
    }
    return NULL;
}

static void add_variable(model *m, const xml_element *e, bool integer)
{
    if (m->count == MAX_VARIABLES) {
        refuse("too many variables", e->name);
    }
    variable *v = &m->variables[m->count];
    const char *causality = need(e, "causality"), *initial = xml_get(e, "initial");
    *v = (variable){ .reference = (unsigned)strtoul(need(e, "valueReference"), NULL, 10),
                     .causality = strcmp(causality, "independent") == 0 ? 't' : causality[0], .integer = integer };
    copy(v->name, need(e, "name"), sizeof v->name);
    if (by_reference(m, v->reference)) {
        refuse("two variables of one valueReference", v->name);
    }
    if (!strchr("iot", v->causality) || (v->causality == 'o') != (initial && strcmp(initial, "calculated") == 0)) {
        refuse("causality or initial of", v->name);
    }
    m->count++;
}

static void mark(model *m, variable *v, bool initial)
{
    bool *flag = v ? (initial ? &v->is_initial : &v->is_output) : NULL;
    if (!flag || *flag || v->causality != 'o') {
        m->structure_wrong = true;
    } else {
        *flag = true;
    }
}

static void read_structure(model *m, const xml_element *e)
{
    if (m->version == 3) {
        mark(m, by_reference(m, (unsigned)strtoul(need(e, "valueReference"), NULL, 10)),
             strcmp(e->name, "InitialUnknown") == 0);
    } else if (strcmp(e->name, "Unknown") == 0) {
        const int index = atoi(need(e, "index"));
        mark(m, index >= 1 && index <= m->count ? &m->variables[index - 1] : NULL,
             strstr(e->path, "InitialUnknowns") != NULL);
    }
}

static void read_root(model *m, const xml_element *e)
{
    const char *version = need(e, "fmiVersion");
    if (strcmp(e->name, "fmiModelDescription") != 0 || (strcmp(version, "3.0") != 0 && strcmp(version, "2.0") != 0)) {
        refuse("root element", e->name);
    }
    m->version = version[0] - '0';
    copy(m->name, need(e, "modelName"), sizeof m->name);
    copy(m->token, need(e, m->version == 3 ? "instantiationToken" : "guid"), sizeof m->token);
}

static void read_interface(model *m, const xml_element *e)
{
    copy(m->identifier, need(e, "modelIdentifier"), sizeof m->identifier);
    if (strspn(m->identifier, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(m->identifier)
        || isdigit((unsigned char)m->identifier[0])) {
        refuse("modelIdentifier is no C identifier", m->identifier);
    }
    const char *states = m->version == 3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate";
    if (strcmp(need(e, states), "true") != 0) {
        refuse("capability", states);
    }
    m->fixed_step = m->version == 3 ? strtod(need(e, "fixedInternalStepSize"), NULL) : 0.0;
}

static void add_source(model *m, const char *name)
{
    if (m->source_count == MAX_SOURCES) {
        refuse("too many sources", name);
    }
    copy(m->source[m->source_count++], name, sizeof m->source[0]);
}

static void read_element(model *m, const xml_element *e, xml_element *scalar)
{
    if (strcmp(e->path, "") == 0) {
        read_root(m, e);
    } else if (strcmp(e->name, "CoSimulation") == 0) {
        read_interface(m, e);
    } else if (strcmp(e->name, "File") == 0) {
        add_source(m, need(e, "name"));
    } else if (strcmp(e->name, "DefaultExperiment") == 0) {
        m->step = strtod(need(e, "stepSize"), NULL);
        m->stop = strtod(need(e, "stopTime"), NULL);
    } else if (strcmp(e->name, "ScalarVariable") == 0) {
        *scalar = *e;
    } else if (strstr(e->path, "/ScalarVariable/")) {
        add_variable(m, scalar, strcmp(e->name, "Integer") == 0);
    } else if (strcmp(e->path, "fmiModelDescription/ModelVariables/") == 0) {
        add_variable(m, e, strcmp(e->name, "Int32") == 0);
    } else if (strstr(e->path, "/ModelStructure/")) {
        read_structure(m, e);
    }
}

// every output is listed once as output and once as unknown of the start, and nothing else is
static void check_structure(const model *m)
{
    for (int i = 0; i < m->count; i++) {
        const bool output = m->variables[i].causality == 'o';
        if (m->structure_wrong || m->variables[i].is_output != output || m->variables[i].is_initial != output) {
            refuse("ModelStructure", m->variables[i].name);
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(m->variables[i].name, m->variables[k].name) == 0) {
                refuse("two variables of one name", m->variables[i].name);
            }
        }
    }
}

static void model_read(model *m, const char *text)
{
    xml x = { .at = text };
    xml_element e, scalar = { .count = 0 };
    while (xml_next(&x, &e)) {
        read_element(m, &e, &scalar);
    }
    if (x.bad || m->count == 0 || !(m->step > 0.0) || !*m->identifier) {
        refuse("modelDescription.xml", "not well-formed, or parts are missing");
    }
    check_structure(m);
}

// sources of FMI 3.0
static void build_read(model *m, const char *text)
{
    xml x = { .at = text };
    xml_element e;
    while (xml_next(&x, &e)) {
        if (strcmp(e.name, "BuildConfiguration") == 0 && strcmp(need(&e, "modelIdentifier"), m->identifier) != 0) {
            refuse("buildDescription.xml", "another modelIdentifier");
        }
        if (strcmp(e.name, "SourceFile") == 0) {
            add_source(m, need(&e, "name"));
        }
    }
    if (x.bad || m->source_count == 0) {
        refuse("buildDescription.xml", "not well-formed, or no sources");
    }
}

#endif
