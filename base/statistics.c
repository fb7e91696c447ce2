/* Student's t by its finite series.
 *
 * With theta = atan(t / sqrt(n)) the probability of |T| <= t has a closed form for whole n (Abramowitz and
 * Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4). It rises with theta from 0 to 1 between 0
 * and a right angle, so that halving finds the theta of any confidence. */
#include "base/statistics.h"

#include <math.h>

#define HALVINGS 60
#define RIGHT_ANGLE 1.57079632679489661923

/* The powers of the cosine rise in steps of two, from 0 for an even n and from 1 for an odd one; the factor
 * of each is that of the one before, times (power - 1) / power. Freedom 1 has no such term at all. */
static double probability(double theta, size_t freedom)
{
    double cosine = cos(theta), term = freedom % 2 == 0 ? 1 : cosine, sum = 0;

    for (size_t power = freedom % 2; power + 2 <= freedom; power += 2) {
        double next = (double)power + 2;
        sum += term;
        term *= cosine * cosine * (next - 1) / next;
    }
    return freedom % 2 == 0 ? sin(theta) * sum : (theta + sin(theta) * sum) / RIGHT_ANGLE;
}

/* Halving ends at the last bit of theta that matters; the tangent makes a t of it. */
double base_student(double confidence, size_t freedom)
{
    double low = 0, high = RIGHT_ANGLE;

    if (freedom == 0)
        return NAN;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (probability(middle, freedom) < confidence)
            low = middle;
        else
            high = middle;
    }
    return sqrt((double)freedom) * tan((low + high) / 2);
}

/* Two passes: the squares of differences lose nothing where the values are large and close to each other. */
double base_interval(const double *values, size_t count, double confidence, double *mean)
{
    double sum = 0, squares = 0;
    double middle;

    for (size_t i = 0; i < count; i++)
        sum += values[i];
    middle = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - middle) * (values[i] - middle);
    if (mean != NULL)
        *mean = middle;
    if (count < 2)
        return NAN;
    return base_student(confidence, count - 1) * sqrt(squares / (double)(count - 1) / (double)count);
}
