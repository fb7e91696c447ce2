/* Means of repeated measurements, and how sure they are. */
/* An interval here is of a mean: it says where the mean of very many such measurements would lie, not where
 * the next measurement will. It supposes that the values are independent and not far from normal, which means
 * over many messages are; for few and skewed values it is too narrow.
 *
 *      double mean, half = base_interval(times, count, 0.95, &mean);
 *      printf("%.2f +- %.2f\n", mean, half);                          half is NAN for a single value */
#ifndef BASE_STATISTICS_H
#define BASE_STATISTICS_H

#include <stddef.h>

/* The value that the absolute value of Student's t with `freedom` degrees of freedom does not exceed with
 * probability `confidence` (0 < confidence < 1): 12.706 for 0.95 and 1. NAN for freedom 0. Right to ten
 * digits. */
double base_student(double confidence, size_t freedom);

/* The mean of independent values (count >= 1), and half the width of its confidence interval: Student's t
 * with count - 1 degrees of freedom. The half width is NAN for one value, and where a value is; mean may be
 * NULL. */
double base_interval(const double *values, size_t count, double confidence, double *mean);

#endif
