#include "hash.h"

#include <string.h>

uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t hash_real(uint64_t hash, ecp_real x)
{
#if ECP_REAL_BITS == 32
    uint32_t bits;
#else
    uint64_t bits;
#endif
    unsigned char bytes[sizeof bits];
    memcpy(&bits, &x, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++) {
        bytes[i] = (unsigned char)(bits >> (8u * i) & 0xffu);
    }
    return hash_bytes(hash, bytes, sizeof bytes);
}

uint64_t hash_world(uint64_t hash, const scene_data *s, const ecp_world *world)
{
    for (int i = 0; i < s->body_count; i++) {
        ecp_state x;
        if (s->bodies[i].kind != ECP_DYNAMIC || ecp_get_state(world, i, &x) < 0) {
            continue;
        }
        const ecp_real reals[13] = {
            x.position.x,         x.position.y,    x.position.z,         x.orientation.w,
            x.orientation.x,      x.orientation.y, x.orientation.z,      x.velocity.x,
            x.velocity.y,         x.velocity.z,    x.angular_velocity.x, x.angular_velocity.y,
            x.angular_velocity.z,
        };
        for (int k = 0; k < 13; k++) {
            hash = hash_real(hash, reals[k]);
        }
    }
    return hash;
}
