/* Steady state and confidence. All arithmetic is +, -, *, / and square root, in a fixed order: the same
 * decisions on every machine. */
#include "replay/steady.h"

#include <math.h>

#define BATCHES_LEAST 10
#define REST_LEAST 5 /* batches that must be left for their error to mean anything */

/* Batches take the correlation of neighbours out of the series; five is what the rule was studied with. */
static double batch_mean(const double *series, size_t batch)
{
    double sum = 0;

    for (size_t i = 0; i < REPLAY_STEADY_BATCH; i++)
        sum += series[batch * REPLAY_STEADY_BATCH + i];
    return sum / REPLAY_STEADY_BATCH;
}

/* From the end to the beginning, so that one pass knows sum and squares of every rest. Values are taken
 * relative to the last, lest their squares swallow the differences. The longest rest wins a tie. The error is
 * the rest's variance over its length: the marginal standard error of MSER, squared. Rests of fewer than
 * REST_LEAST batches are not believed. */
size_t replay_steady_truncation(const double *series, size_t count)
{
    size_t batches = count / REPLAY_STEADY_BATCH, best = batches;
    double sum = 0, squares = 0, least = INFINITY, last;

    if (batches < BATCHES_LEAST)
        return count;
    last = batch_mean(series, batches - 1);
    for (size_t cut = batches; cut-- > 0;) {
        double value = batch_mean(series, cut) - last, rest = (double)(batches - cut), error;
        sum += value;
        squares += value * value;
        error = (squares - sum * sum / rest) / (rest * rest);
        if (batches - cut >= REST_LEAST && error <= least) {
            least = error;
            best = cut;
        }
    }
    return best * REPLAY_STEADY_BATCH;
}

/* Half: beyond it the minimum is too often that of a few batches which happen to be alike. */
bool replay_steady(const double *series, size_t count)
{
    return count > 0 && replay_steady_truncation(series, count) <= count / 2;
}

/* Freedom 0 has no quantile: NAN, which passes through every interval. Beyond the table the first terms of
 * the expansion of the quantile in 1 / n around the normal one. */
double replay_student(size_t freedom)
{
    static const double table[] = {NAN,    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                   2.3060, 2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314,
                                   2.1199, 2.1098,  2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687,
                                   2.0639, 2.0595,  2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
    const double z = 1.959963985, z2 = z * z, n = (double)freedom;

    if (freedom < sizeof table / sizeof table[0])
        return table[freedom];
    return z * (1 + (z2 + 1) / (4 * n) + (5 * z2 * z2 + 16 * z2 + 3) / (96 * n * n) +
                (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * n * n * n));
}

/* NAN among the values makes the sum NAN, and so the interval. Half the width. The sum of squares is taken
 * around the mean, in a second pass, lest large means cancel it. */
double replay_interval(const double *values, size_t count)
{
    double mean = 0, squares = 0;

    if (count < 2)
        return NAN;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return replay_student(count - 1) * sqrt(squares / (double)(count - 1) / (double)count);
}
