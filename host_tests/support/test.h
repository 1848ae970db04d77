// test.h - what every host test includes: Unity or its small stand-in, tolerances, random numbers.
#ifndef ECP_TEST_H
#define ECP_TEST_H

#ifdef ECP_REAL_UNITY
#include "unity.h"
#else
#include "unity_lite.h"
#endif

#include "math/real.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// a test file with its own setUp and tearDown defines ECP_TEST_OWN_SETUP before the include
#ifndef ECP_TEST_OWN_SETUP
void setUp(void) {}
void tearDown(void) {}
#endif

/// The tolerance for float or for double.
#define TOL(single, twofold) ((ecp_real)(ECP_REAL_BITS == 32 ? (single) : (twofold)))

#define ASSERT_NEAR(expected, actual, tol) \
    TEST_ASSERT_DOUBLE_WITHIN((double)(tol), (double)(expected), (double)(actual))

#define ASSERT_SMALL(actual, tol) ASSERT_NEAR(0.0, actual, tol)

/// xorshift64*: the same numbers on every machine.
typedef struct test_random {
    uint64_t state;
} test_random;

static inline test_random test_seed(uint64_t seed)
{
    return (test_random){ seed * UINT64_C(0x9E3779B97F4A7C15) + 1 };
}

static inline ecp_real test_uniform(test_random *r, double low, double high)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    const uint64_t bits = (r->state * UINT64_C(0x2545F4914F6CDD1D)) >> 11;
    return (ecp_real)(low + (high - low) * (double)bits * (1.0 / 9007199254740992.0));
}

static inline void test_fill(test_random *r, ecp_real *x, int count, double low, double high)
{
    for (int i = 0; i < count; i++) {
        x[i] = test_uniform(r, low, high);
    }
}

/// A value no result can be mistaken for, put into outputs before a call.
#define TEST_POISON ECP_R(-12345.678)

static inline void test_poison(ecp_real *x, int count)
{
    for (int i = 0; i < count; i++) {
        x[i] = TEST_POISON;
    }
}

static inline bool test_is_poisoned(const ecp_real *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (x[i] < TEST_POISON || x[i] > TEST_POISON) {
            return false;
        }
    }
    return true;
}

static inline ecp_real test_largest(const ecp_real *x, int count)
{
    ecp_real m = 0;
    for (int i = 0; i < count; i++) {
        m = ecp_fabs(x[i]) <= m ? m : ecp_fabs(x[i]);
    }
    return m;
}

/// Central-difference check of a Jacobian J (m x n, row-major) of f at x. Returns the largest
/// difference, relative to 1 + |J_ij|. At most 64 rows and columns.
static inline double test_jacobian_error(bool (*f)(void *ctx, const ecp_real *x, ecp_real *y),
                                         void *ctx, const ecp_real *x, const ecp_real *J, int m,
                                         int n)
{
    ecp_real point[64], plus[64], minus[64];
    double worst = 0.0;
    memcpy(point, x, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        const ecp_real step = TOL(4e-3, 6e-6) * (ECP_R(1.0) + ecp_fabs(x[j]));
        point[j] = x[j] + step;
        const double right = (double)point[j];
        const bool ok = f(ctx, point, plus);
        point[j] = x[j] - step;
        const double width = right - (double)point[j];
        if (!ok || !f(ctx, point, minus)) {
            return (double)INFINITY;
        }
        point[j] = x[j];
        for (int i = 0; i < m; i++) {
            const double slope = ((double)plus[i] - (double)minus[i]) / width;
            const double exact = (double)J[i * n + j];
            worst = fmax(worst, fabs(slope - exact) / (1.0 + fabs(exact)));
        }
    }
    return worst;
}

#endif
