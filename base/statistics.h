/* Means of repeated measurements, and how sure they are. */
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
