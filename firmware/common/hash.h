// hash.h - FNV-1a, 64 bits, over the states of a run: one number that tells two trajectories apart.
#ifndef ECP_HASH_H
#define ECP_HASH_H

#include "scene_data.h"

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t count);
/// The bits of x, least significant byte first on every machine.
uint64_t hash_real(uint64_t hash, ecp_real x);
/// px..pz, qw..qz, vx..vz, wx..wz of every dynamic body in file order.
uint64_t hash_world(uint64_t hash, const scene_data *s, const ecp_world *world);

#endif
