// file_scene.h - a scenario file of tools/scenarios in scene_world, step by step.
#ifndef ECP_TEST_FILE_SCENE_H
#define ECP_TEST_FILE_SCENE_H

#include "scene.h"

#include "loads.h"

static scenario file_scene;

/// Load tools/scenarios/NAME.toml; ids in scene_world are places in the file.
static inline void file_open(const char *name)
{
    char path[512];
    fault why;
    scenario_free(&file_scene);
    (void)snprintf(path, sizeof path, "%s/tools/scenarios/%s.toml", ECP_SOURCE_DIR, name);
    TEST_ASSERT_TRUE_MESSAGE(scenario_load(&file_scene, path, &why), why.text);
    TEST_ASSERT_TRUE_MESSAGE(scenario_build(&file_scene, &scene_world, &why), why.text);
}

/// Loads of step k, then the step.
static inline ecp_status file_step(long k, ecp_report *report)
{
    TEST_ASSERT_TRUE(loads_apply(&file_scene, &scene_world, k) >= 0);
    return ecp_step(&scene_world, (ecp_real)file_scene.h, report);
}

/// Id of the one dynamic body.
static inline int file_mover(void)
{
    int i = 0;
    while (i + 1 < file_scene.body_count && file_scene.bodies[i].def.kind != ECP_DYNAMIC) {
        i++;
    }
    return i;
}

#endif
