/* Steady state. All arithmetic is +, -, *, / and square root, in a fixed order, or of whole numbers: the same
 * decisions on every machine. */
#include "replay/traffic/steady.h"

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
    double sum = 0, squares = 0, least = INFINITY;
    double last;

    if (batches < BATCHES_LEAST)
        return count;
    last = batch_mean(series, batches - 1);
    for (size_t cut = batches; cut-- > 0;) {
        double value = batch_mean(series, cut) - last, rest = (double)(batches - cut);
        double error;
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

/* |(sum + now) / (t + 1) - sum / t| < 1 / 1000, multiplied by t (t + 1): the change is (now t - sum) / (t (t + 1)). */
static bool changes_little(uint64_t now, uint64_t sum, uint64_t cycles)
{
    uint64_t would = now * cycles, change = would > sum ? would - sum : sum - would;
    return change < cycles * (cycles + 1) / 1000 + (cycles * (cycles + 1) % 1000 != 0);
}

/* Both averages must hardly change, what is inside must be less than a thousandth of a flit for each cycle so far,
 * and enough messages must have come to mean anything: the very first cycles change little, too. */
bool replay_settles(struct replay_settling *settling, uint64_t entered, uint64_t delivered, uint64_t messages)
{
    bool little = changes_little(entered, settling->entered, settling->cycles) &&
                  changes_little(delivered, settling->delivered, settling->cycles);
    settling->cycles++;
    settling->entered += entered;
    settling->delivered += delivered;
    settling->messages += messages;
    uint64_t inside = settling->entered > settling->delivered ? settling->entered - settling->delivered
                                                              : settling->delivered - settling->entered;
    return little && inside < settling->cycles / 1000 + (settling->cycles % 1000 != 0) &&
           settling->messages >= REPLAY_SETTLING_MESSAGES;
}
