// The TOML subset of scenario files: what is read, what is refused and on which line.
#include "test.h"

#include "toml.h"

#include <stdlib.h>

static bool parse(toml_doc *doc, const char *text, fault *why)
{
    *why = (fault){ .line = -1 };
    return toml_parse(doc, text, strlen(text), why);
}

static void refuse(int line, const char *text)
{
    toml_doc doc;
    fault why;
    TEST_ASSERT_FALSE_MESSAGE(parse(&doc, text, &why), text);
    TEST_ASSERT_TRUE_MESSAGE(line == why.line, text);
    TEST_ASSERT_TRUE_MESSAGE(strstr(why.text, "; expected ") != NULL, why.text);
    TEST_ASSERT_EQUAL_INT(0, doc.count);
}

static double number(const char *text)
{
    toml_doc doc;
    fault why;
    char line[80];
    (void)snprintf(line, sizeof line, "x = %s\n", text);
    TEST_ASSERT_TRUE_MESSAGE(parse(&doc, line, &why), line);
    const double value = doc.tables[0].keys[0].value.number;
    toml_free(&doc);
    return value;
}

static void test_numbers_have_the_syntax_of_toml(void)
{
    ASSERT_NEAR(0.0, number("0"), 0);
    ASSERT_NEAR(-12.5, number("-12.5"), 0);
    ASSERT_NEAR(1000.0, number("+1_000"), 0);
    ASSERT_NEAR(6.02e23, number("6.02E+23"), 0);
    ASSERT_NEAR(1e-9, number("1e-09"), 0);
    ASSERT_NEAR(0.0, number("1e-400"), 0);
    static const char *const bad[] = { "1.",   ".5",    "01",     "0x1",        "1__0", "_1",
                                       "1_",   "1e",    "--1",    "1.e5",       "nan",  "-inf",
                                       "+nan", "1e309", "-1e309", "1979-05-27", "abc" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[80];
        (void)snprintf(line, sizeof line, "\nx = %s\n", bad[i]);
        refuse(2, line);
    }
}

static void test_strings_keep_their_characters(void)
{
    toml_doc doc;
    fault why;
    TEST_ASSERT_TRUE(
        parse(&doc, "a = \"x \\\"\\\\ \\u00e9 # no comment\" # one\nb = 'c:\\d'", &why));
    TEST_ASSERT_EQUAL_STRING("x \"\\ \xc3\xa9 # no comment",
                             toml_find(&doc.tables[0], "a")->value.string);
    TEST_ASSERT_EQUAL_STRING("c:\\d", toml_find(&doc.tables[0], "b")->value.string);
    TEST_ASSERT_NULL(toml_find(&doc.tables[0], "c"));
    toml_free(&doc);
}

static void test_arrays_span_lines_and_tables_repeat(void)
{
    toml_doc doc;
    fault why;
    TEST_ASSERT_TRUE(parse(&doc,
                           "t = true\r\n[[a]]\r\nx = [ # three\n 1,\n\n 2, 3, # last\n]\n"
                           "[[ b ]] # next\ny = [\"p\", 'q']\n[[a]]\nz = []",
                           &why));
    TEST_ASSERT_EQUAL_INT(4, doc.count);
    TEST_ASSERT_TRUE(doc.tables[0].keys[0].value.boolean);
    TEST_ASSERT_EQUAL_INT(3, doc.tables[1].keys[0].value.count);
    ASSERT_NEAR(3.0, doc.tables[1].keys[0].value.items[2].number, 0);
    TEST_ASSERT_EQUAL_STRING("b", doc.tables[2].name);
    TEST_ASSERT_EQUAL_INT(8, doc.tables[2].line);
    TEST_ASSERT_EQUAL_INT(11, doc.tables[3].keys[0].line);
    TEST_ASSERT_EQUAL_INT(0, doc.tables[3].keys[0].value.count);
    toml_free(&doc);
}

static void test_refusals_carry_the_line_of_the_key(void)
{
    refuse(1, "");
    refuse(1, " \n\t\n");
    refuse(1, "x = 1\n\x01");
    refuse(1, "x = 1\n# \xff");
    refuse(2, "x = 1\nx = 2");
    refuse(2, "\nx = [1,\n2,\nnan]");
    refuse(2, "\nx = [1,\n2");
    refuse(2, "\nx = [1 2]");
    refuse(1, "x = [1, \"a\"]");
    refuse(1, "x = [true]");
    refuse(1, "x = [[1]]");
    refuse(1, "x = \"abc");
    refuse(1, "x = \"\"\"abc\"\"\"");
    refuse(1, "x = \"\\u0000\"");
    refuse(1, "x = \"\\ud800\"");
    refuse(1, "x = {a = 1}");
    refuse(1, "x");
    refuse(1, "x =");
    refuse(1, "x = 1 y = 2");
    refuse(1, "x.y = 1");
    refuse(1, "\"x\" = 1");
    refuse(1, "= 1");
    refuse(2, "x = 1\n[table]");
    refuse(2, "x = 1\n[[table]");
    refuse(2, "x = 1\n[[]]");
    refuse(2, "x = 1\n[[a.b]]");
    refuse(2, "x = 1\n[[a]] 3");
}

static void test_a_zero_byte_is_refused(void)
{
    toml_doc doc;
    fault why;
    TEST_ASSERT_FALSE(toml_parse(&doc, "x = 1\0\n", 7, &why));
    TEST_ASSERT_EQUAL_INT(1, why.line);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_numbers_have_the_syntax_of_toml);
    RUN_TEST(test_strings_keep_their_characters);
    RUN_TEST(test_arrays_span_lines_and_tables_repeat);
    RUN_TEST(test_refusals_carry_the_line_of_the_key);
    RUN_TEST(test_a_zero_byte_is_refused);
    return UNITY_END();
}
