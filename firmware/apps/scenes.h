// scenes.h - the scenarios an image was built from; firmware/make_scenes.sh writes the source.
#ifndef ECP_SCENES_H
#define ECP_SCENES_H

#include "scene_data.h"

extern const scene_data *const scenes[];
extern const int scene_count;

#endif
