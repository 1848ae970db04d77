// unity.h - the macros of Unity that the unit tests use, for a target: results go to the console of
// the port, no stdio. Found in place of the real Unity when a test is compiled for a board.
#ifndef UNITY_H
#define UNITY_H

#include "print.h"

#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

void setUp(void);
void tearDown(void);

typedef struct unity_target {
    const char *name;
    int tests, failures, failed_now;
    jmp_buf leave;
} unity_target;

static unity_target unity_state;

static inline void unity_fail(int line, const char *message)
{
    print_text("FAIL ");
    print_text(unity_state.name);
    print_text(" line ");
    print_number((uint32_t)line);
    print_text(": ");
    print_text(message);
    print_text("\n");
    unity_state.failed_now = 1;
    longjmp(unity_state.leave, 1);
}

static inline void unity_guarded(void (*test)(void))
{
    if (setjmp(unity_state.leave) == 0) {
        setUp();
        test();
    }
}

static inline void unity_run(void (*test)(void), const char *name)
{
    unity_state.name = name;
    unity_state.failed_now = 0;
    unity_state.tests++;
    unity_guarded(test);
    if (setjmp(unity_state.leave) == 0) {
        tearDown();
    }
    unity_state.failures += unity_state.failed_now;
}

static inline int unity_end(void)
{
    print_number((uint32_t)unity_state.tests);
    print_text(" Tests ");
    print_number((uint32_t)unity_state.failures);
    print_text(" Failures 0 Ignored\n");
    return unity_state.failures;
}

#define UNITY_BEGIN() ((void)(unity_state.tests = unity_state.failures = 0))
#define UNITY_END() unity_end()
#define RUN_TEST(test) unity_run(test, #test)

#define TEST_FAIL_MESSAGE(message) unity_fail(__LINE__, (message))
#define TEST_FAIL() unity_fail(__LINE__, "")
#define TEST_ASSERT_TRUE_MESSAGE(condition, message) \
    do { if (!(condition)) { unity_fail(__LINE__, (message)); } } while (0)
#define TEST_ASSERT_FALSE_MESSAGE(condition, message) TEST_ASSERT_TRUE_MESSAGE(!(condition), message)
#define TEST_ASSERT_MESSAGE(condition, message) TEST_ASSERT_TRUE_MESSAGE(condition, message)
#define TEST_ASSERT(condition) TEST_ASSERT_TRUE_MESSAGE(condition, #condition)
#define TEST_ASSERT_TRUE(condition) TEST_ASSERT_TRUE_MESSAGE(condition, #condition)
#define TEST_ASSERT_FALSE(condition) TEST_ASSERT_TRUE_MESSAGE(!(condition), "not " #condition)
#define TEST_ASSERT_NULL(pointer) TEST_ASSERT_TRUE_MESSAGE((pointer) == NULL, #pointer " is not NULL")
#define TEST_ASSERT_NOT_NULL(pointer) TEST_ASSERT_TRUE_MESSAGE((pointer) != NULL, #pointer " is NULL")
#define TEST_ASSERT_EQUAL_INT(expected, actual) \
    TEST_ASSERT_TRUE_MESSAGE((expected) == (actual), #actual " is not " #expected)
#define TEST_ASSERT_EQUAL(expected, actual) TEST_ASSERT_EQUAL_INT(expected, actual)
#define TEST_ASSERT_NOT_EQUAL(expected, actual) \
    TEST_ASSERT_TRUE_MESSAGE((expected) != (actual), #actual " is " #expected)
#define TEST_ASSERT_LESS_OR_EQUAL_INT(limit, actual) \
    TEST_ASSERT_TRUE_MESSAGE((actual) <= (limit), #actual " is above " #limit)
#define TEST_ASSERT_EQUAL_MEMORY(expected, actual, length) \
    TEST_ASSERT_TRUE_MESSAGE(memcmp((expected), (actual), (length)) == 0, #actual " differs")
#define TEST_ASSERT_EQUAL_STRING(expected, actual) \
    TEST_ASSERT_TRUE_MESSAGE(strcmp((expected), (actual)) == 0, #actual " differs")
#define TEST_ASSERT_DOUBLE_WITHIN(delta, expected, actual) \
    TEST_ASSERT_TRUE_MESSAGE(fabs((double)(actual) - (double)(expected)) <= (double)(delta), \
                             #actual " is not " #expected)

#endif
