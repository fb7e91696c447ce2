/* Student's t at the values that its printed tables have, and the intervals made of it. */
#include "tests/suite.h"

#include <math.h>

#include "base/statistics.h"

static void quantiles_are_those_of_the_tables(void **state)
{
    static const struct {
        double confidence;
        size_t freedom;
        double t;
    } known[] = {{0.95, 1, 12.7062},  {0.95, 2, 4.3027},   {0.95, 3, 3.1824},  {0.95, 4, 2.7764},
                 {0.95, 19, 2.0930},  {0.95, 30, 2.0423},  {0.95, 31, 2.0395}, {0.95, 60, 2.0003},
                 {0.95, 120, 1.9799}, {0.95, 999, 1.9623}, {0.99, 1, 63.6567}, {0.99, 4, 4.6041},
                 {0.99, 5, 4.0321},   {0.5, 1, 1.0000},    {0.5, 2, 0.8165},   {0.999, 10, 4.5869}};

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_true(fabs(base_student(known[i].confidence, known[i].freedom) - known[i].t) < 6e-5);
    assert_true(isnan(base_student(0.95, 0)));
}

static void intervals_are_of_the_mean(void **state)
{
    static const double values[] = {1, 2, 3, 4, 5}, equal[] = {7, 7, 7}, hole[] = {1, NAN, 2};
    double mean = 0;

    (void)state;
    assert_true(fabs(base_interval(values, 5, 0.95, &mean) - 2.776445105 * sqrt(2.5 / 5)) < 1e-8);
    assert_true(fabs(mean - 3) < 1e-15);
    assert_true(base_interval(equal, 3, 0.95, NULL) <= 0);
    assert_true(isnan(base_interval(values, 1, 0.95, &mean)));
    assert_true(fabs(mean - 1) < 1e-15);
    assert_true(isnan(base_interval(hole, 3, 0.95, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(intervals_are_of_the_mean),
    };
    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
