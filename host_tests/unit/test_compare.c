// A run beside another trajectory: rows found by time, values between them.
#include "test.h"

#include "compare.h"

static csv_column columns[] = { { "t", CSV_TIME, -1 },         { "b.px", CSV_POSE, -1 }, { "b.qw", CSV_POSE, -1 },
                                { "b.qx", CSV_POSE, -1 },      { "b.qy", CSV_POSE, -1 }, { "b.qz", CSV_POSE, -1 },
                                { "b.vx", CSV_VELOCITY, -1 } };
static const csv_layout layout = { 7, columns };

static char t_name[] = "t", x_name[] = "b.px", w_name[] = "b.qw", i_name[] = "b.qx", j_name[] = "b.qy",
            k_name[] = "b.qz";

// px = 2 t at t = 0, 0.3, 0.5
static double ramp_cells[] = { 0.0, 0.0, 0.6, 0.3, 1.0, 0.5 };
static char *ramp_names[] = { x_name, t_name };
static const csv_table ramp = { 2, ramp_names, 3, ramp_cells };

static void test_a_line_is_interpolated_exactly(void)
{
    comparison c;
    fault why;
    TEST_ASSERT_TRUE(comparison_start(&c, &ramp, &layout, 0.1, &why));
    TEST_ASSERT_EQUAL_INT(1, c.columns);
    for (int k = 0; k <= 5; k++) {
        const double t = 0.1 * k, row[7] = { t, 2.0 * t, 1, 0, 0, 0, 9 };
        comparison_row(&c, &layout, row);
    }
    TEST_ASSERT_EQUAL_INT(6, (int)c.rows);
    TEST_ASSERT_EQUAL_INT(3, (int)c.between);
    TEST_ASSERT_TRUE(c.worst[CSV_POSE].difference < (double)TOL(2e-7, 1e-15));
    TEST_ASSERT_NULL(c.worst[CSV_VELOCITY].column);
    comparison_end(&c);
}

static void test_the_largest_difference_has_its_time_and_name(void)
{
    comparison c;
    fault why;
    TEST_ASSERT_TRUE(comparison_start(&c, &ramp, &layout, 0.1, &why));
    const double rows[][7] = { { 0.0, 0.25 }, { 0.3, 1.6 }, { 0.4, 0.8 } };
    for (int k = 0; k < 3; k++) {
        comparison_row(&c, &layout, rows[k]);
    }
    ASSERT_NEAR(1.0, c.worst[CSV_POSE].difference, 1e-6);
    ASSERT_NEAR(0.3, c.worst[CSV_POSE].at, 1e-12);
    TEST_ASSERT_EQUAL_STRING("b.px", c.worst[CSV_POSE].column);
    comparison_end(&c);
}

static void test_times_the_other_does_not_cover_are_counted(void)
{
    comparison c;
    fault why;
    TEST_ASSERT_TRUE(comparison_start(&c, &ramp, &layout, 0.1, &why));
    const double before[7] = { -0.1 }, after[7] = { 0.6 };
    comparison_row(&c, &layout, before);
    comparison_row(&c, &layout, after);
    TEST_ASSERT_EQUAL_INT(0, (int)c.rows);
    TEST_ASSERT_EQUAL_INT(2, (int)c.missed);
    // and going back finds the rows again
    bool between;
    TEST_ASSERT_TRUE(comparison_at(&c, 0.15, &between));
    ASSERT_NEAR(0.3, c.there[0], 1e-15);
    comparison_end(&c);
}

// a quarter turn about z written with one sign, then with the other
static void test_q_and_minus_q_are_one_orientation(void)
{
    const double half = 0.70710678118654752;
    double cells[] = { 0.0, half, 0, 0, half, 1.0, -half, 0, 0, -half };
    char *names[] = { t_name, w_name, i_name, j_name, k_name };
    const csv_table turned = { 5, names, 2, cells };
    comparison c;
    fault why;
    TEST_ASSERT_TRUE(comparison_start(&c, &turned, &layout, 0.1, &why));
    for (int k = 0; k <= 4; k++) {
        const double row[7] = { 0.25 * k, 0, half, 0, 0, half, 0 };
        comparison_row(&c, &layout, row);
    }
    TEST_ASSERT_EQUAL_INT(5, (int)c.rows);
    TEST_ASSERT_TRUE(c.worst[CSV_POSE].difference < (double)TOL(1e-7, 1e-15));
    comparison_end(&c);
}

static void test_tables_that_cannot_be_matched_are_refused(void)
{
    double cells[] = { 0.0, 1.0, 0.0, 2.0 };
    char *no_time[] = { x_name, w_name }, *twice[] = { t_name, x_name };
    const csv_table timeless = { 2, no_time, 2, cells }, standing = { 2, twice, 2, cells };
    comparison c;
    fault why;
    TEST_ASSERT_FALSE(comparison_start(&c, &timeless, &layout, 0.1, &why));
    TEST_ASSERT_NOT_NULL(strstr(why.text, "named t"));
    TEST_ASSERT_FALSE(comparison_start(&c, &standing, &layout, 0.1, &why));
    TEST_ASSERT_EQUAL_INT(3, why.line);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_line_is_interpolated_exactly);
    RUN_TEST(test_the_largest_difference_has_its_time_and_name);
    RUN_TEST(test_times_the_other_does_not_cover_are_counted);
    RUN_TEST(test_q_and_minus_q_are_one_orientation);
    RUN_TEST(test_tables_that_cannot_be_matched_are_refused);
    return UNITY_END();
}
