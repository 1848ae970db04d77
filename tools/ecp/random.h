// random.h - numbers from a seed, the same on every machine: integer state, no libm.
#ifndef ECP_TOOL_RANDOM_H
#define ECP_TOOL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct random_state {
    uint64_t s;
} random_state;

/// A stream of its own for every (seed, trial).
static inline random_state random_start(uint64_t seed, uint64_t trial)
{
    return (random_state){ seed * UINT64_C(0x9e3779b97f4a7c15) + trial * UINT64_C(0xd1b54a32d192ed03) + 1u };
}

/// splitmix64: every call of a stream gives another number of the full period.
static inline uint64_t random_bits(random_state *r)
{
    r->s += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = r->s;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/// Uniform in [lo, hi).
static inline double random_in(random_state *r, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(random_bits(r) >> 11) / 9007199254740992.0);
}

/// 0 ... n - 1.
static inline int random_below(random_state *r, int n)
{
    return (int)(random_bits(r) % (uint64_t)n);
}

static inline bool random_chance(random_state *r, double p)
{
    return random_in(r, 0.0, 1.0) < p;
}

/// About log-uniform in [lo, hi]: a random number of doublings, then uniform within one.
static inline double random_scale(random_state *r, double lo, double hi)
{
    int octaves = 1;
    for (double x = lo; 2.0 * x < hi && octaves < 64; x *= 2.0) {
        octaves++;
    }
    double x = lo * random_in(r, 1.0, 2.0);
    for (int k = random_below(r, octaves); k > 0; k--) {
        x *= 2.0;
    }
    return x < hi ? x : hi;
}

#endif
