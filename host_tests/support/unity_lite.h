// unity_lite.h - the few macros of Unity that the tests use, with the same names and output.
#ifndef UNITY_LITE_H
#define UNITY_LITE_H

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

void setUp(void);
void tearDown(void);

typedef struct unity_lite {
    const char *file, *test;
    int line, tests, failures, ignored;
    int failed_now, ignored_now;
    jmp_buf abort_frame;
} unity_lite;

static unity_lite unity_lite_state;

static inline void unity_lite_end_test(int line, const char *result, const char *message)
{
    printf("%s:%d:%s:%s: %s\n", unity_lite_state.file, line, unity_lite_state.test, result, message);
    longjmp(unity_lite_state.abort_frame, 1);
}

static inline void unity_lite_fail(int line, const char *message)
{
    unity_lite_state.failed_now = 1;
    unity_lite_end_test(line, "FAIL", message);
}

static inline void unity_lite_ignore(int line, const char *message)
{
    unity_lite_state.ignored_now = 1;
    unity_lite_end_test(line, "IGNORE", message);
}

static inline void unity_lite_int(long long expected, long long actual, int line)
{
    if (expected != actual) {
        char text[96];
        snprintf(text, sizeof text, "Expected %lld Was %lld", expected, actual);
        unity_lite_fail(line, text);
    }
}

static inline void unity_lite_double(double delta, double expected, double actual, int line)
{
    if (!(fabs(actual - expected) <= delta)) {
        char text[160];
        snprintf(text, sizeof text, "Expected %.17g +- %g Was %.17g", expected, delta, actual);
        unity_lite_fail(line, text);
    }
}

static inline void unity_lite_string(const char *expected, const char *actual, int line)
{
    if (expected == NULL || actual == NULL ? expected != actual : strcmp(expected, actual) != 0) {
        char text[256];
        snprintf(text, sizeof text, "Expected '%.90s' Was '%.90s'", expected ? expected : "NULL",
                 actual ? actual : "NULL");
        unity_lite_fail(line, text);
    }
}

static inline void unity_lite_guarded(void (*test)(void))
{
    if (setjmp(unity_lite_state.abort_frame) == 0) {
        setUp();
        test();
    }
}

static inline void unity_lite_run(void (*test)(void), const char *name, int line)
{
    unity_lite_state.test = name;
    unity_lite_state.line = line;
    unity_lite_state.failed_now = unity_lite_state.ignored_now = 0;
    unity_lite_state.tests++;
    unity_lite_guarded(test);
    if (setjmp(unity_lite_state.abort_frame) == 0) {
        tearDown();
    }
    unity_lite_state.failures += unity_lite_state.failed_now;
    unity_lite_state.ignored += unity_lite_state.ignored_now;
    if (!unity_lite_state.failed_now && !unity_lite_state.ignored_now) {
        printf("%s:%d:%s:PASS\n", unity_lite_state.file, line, name);
    }
}

static inline void unity_lite_begin(const char *file)
{
    unity_lite_state = (unity_lite){ .file = file };
}

static inline int unity_lite_end(void)
{
    printf("\n-----------------------\n%d Tests %d Failures %d Ignored \n%s\n",
           unity_lite_state.tests, unity_lite_state.failures, unity_lite_state.ignored,
           unity_lite_state.failures ? "FAIL" : "OK");
    return unity_lite_state.failures;
}

#define UNITY_BEGIN() unity_lite_begin(__FILE__)
#define UNITY_END() unity_lite_end()
#define RUN_TEST(test) unity_lite_run(test, #test, __LINE__)

#define TEST_FAIL_MESSAGE(message) unity_lite_fail(__LINE__, (message))
#define TEST_FAIL() unity_lite_fail(__LINE__, "")
#define TEST_IGNORE_MESSAGE(message) unity_lite_ignore(__LINE__, (message))
#define TEST_ASSERT_TRUE_MESSAGE(condition, message) \
    do { if (!(condition)) { unity_lite_fail(__LINE__, (message)); } } while (0)
#define TEST_ASSERT_FALSE_MESSAGE(condition, message) TEST_ASSERT_TRUE_MESSAGE(!(condition), message)
#define TEST_ASSERT_MESSAGE(condition, message) TEST_ASSERT_TRUE_MESSAGE(condition, message)
#define TEST_ASSERT(condition) TEST_ASSERT_TRUE_MESSAGE(condition, "Expression Evaluated To FALSE")
#define TEST_ASSERT_TRUE(condition) TEST_ASSERT_TRUE_MESSAGE(condition, "Expected TRUE Was FALSE")
#define TEST_ASSERT_FALSE(condition) TEST_ASSERT_FALSE_MESSAGE(condition, "Expected FALSE Was TRUE")
#define TEST_ASSERT_NULL(pointer) TEST_ASSERT_TRUE_MESSAGE((pointer) == NULL, "Expected NULL")
#define TEST_ASSERT_NOT_NULL(pointer) TEST_ASSERT_TRUE_MESSAGE((pointer) != NULL, "Expected Non-NULL")
#define TEST_ASSERT_EQUAL_INT(expected, actual) \
    unity_lite_int((long long)(expected), (long long)(actual), __LINE__)
#define TEST_ASSERT_EQUAL(expected, actual) TEST_ASSERT_EQUAL_INT(expected, actual)
#define TEST_ASSERT_NOT_EQUAL(expected, actual) \
    TEST_ASSERT_TRUE_MESSAGE((expected) != (actual), "Expected Not-Equal")
#define TEST_ASSERT_LESS_OR_EQUAL_INT(limit, actual) \
    TEST_ASSERT_TRUE_MESSAGE((actual) <= (limit), "Expected Less Or Equal " #limit)
#define TEST_ASSERT_EQUAL_MEMORY(expected, actual, length) \
    TEST_ASSERT_TRUE_MESSAGE(memcmp((expected), (actual), (length)) == 0, "Memory Mismatch")
#define TEST_ASSERT_EQUAL_STRING(expected, actual) unity_lite_string((expected), (actual), __LINE__)
#define TEST_ASSERT_DOUBLE_WITHIN(delta, expected, actual) \
    unity_lite_double((double)(delta), (double)(expected), (double)(actual), __LINE__)

#endif
