// fmu.h - writes a scenario as a functional mock-up unit (FMI 2.0 or 3.0, co-simulation): description, C
// sources, and where a compiler is there a binary of this machine.
#ifndef ECP_TOOL_FMU_H
#define ECP_TOOL_FMU_H

#include "scenario.h"

#include <stdio.h>

typedef struct fmu_options {
    const char *name; ///< a C identifier: the model, and its data scene_NAME
    int version;      ///< of the standard: 2 or 3
    bool binary;      ///< compile too, with the command in CC, or cc
} fmu_options;

/// False: the archive could not be written. Whether it holds a binary is said on stderr.
bool fmu_write(FILE *out, const scenario *s, const fmu_options *options);

/// The C data of a scenario as `ecp gen -o` writes it (cmd_gen.c).
void gen_scene(FILE *out, const char *name, const scene_data *s, uint64_t hash);

// fmu_xml.c
typedef struct fmu_member {
    const char *name; ///< of the file in sources/
    const char *text;
    size_t size;
} fmu_member;
/// modelDescription.xml. token: what an importer hands back when it instantiates the model.
void fmu_print_model(FILE *out, const scenario *s, const fmu_options *o, const char *token,
                     const fmu_member *sources, int count);
/// sources/buildDescription.xml of FMI 3.0.
void fmu_print_build(FILE *out, const fmu_options *o, const fmu_member *sources, int count);

#endif
