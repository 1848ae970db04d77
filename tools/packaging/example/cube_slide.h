// cube_slide.h - tools/scenarios/cube_slide.toml by calls of ecp.h alone.
#ifndef CUBE_SLIDE_H
#define CUBE_SLIDE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// 400 steps of 10 ms. Returns the number that `ecp run tools/scenarios/cube_slide.toml --hash` prints for
/// the same real type; 0 if a call was refused.
uint64_t cube_slide(void);

#ifdef __cplusplus
}
#endif

#endif
