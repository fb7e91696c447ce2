/* How near the portfolio comes to what is known of QAPLIB's meshes, and how long it takes: CPU seconds, one thread.
 *
 *      bench-mappers DIRECTORY SEEDS EVALUATIONS INSTANCE...
 *      bench-mappers DIRECTORY SEEDS TIMEms INSTANCE...     a time budget instead (wall clock), as --time-budget-ms has
 *
 * A line an instance: on how many seeds the best known value was met, the mean and the worst excess, CPU
 * seconds and evaluations of one search, and the least cost of all seeds, over ordered pairs. The start
 * does not matter: a portfolio begins with its own seeds. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mappers/placement.h"
#include "tests/mappers/searches/qap.h"

extern const struct map_mapper map_mapper_portfolio;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Ordered pairs count in QAPLIB, and so they do in a problem made of matrices that are both symmetric. */
static int study(const char *directory, const char *name, unsigned seeds, struct map_effort effort)
{
    struct qap qap;
    struct base_error error = {0};
    double start = cpu_seconds(), mean = 0, worst = 0;
    unsigned met = 0;
    int64_t least = INT64_MAX; /* of all seeds, for those whose optimum is not known */
    uint64_t used = 0;

    if (qap_read(&qap, directory, name) != 0)
        return -1;
    struct map_problem *problem = map_problem_from(qap.size, qap.weights, qap.size, qap.distances, &error);
    for (unsigned seed = 1; seed <= seeds && problem != NULL; seed++) {
        uint32_t slot[QAP_SIZE_MAX];
        struct map_budget budget;
        struct map_call call = {.problem = problem, .budget = &budget, .effort = effort};
        call.effort.seed = seed;
        map_budget_start(&budget, effort.evaluations, effort.time_ms);
        if (map_mapper_portfolio.map(&call, slot, &error) != 0)
            break;
        int64_t cost = map_problem_cost(problem, slot);
        double excess = 100.0 * (double)(cost - qap.best) / (double)qap.best;
        least = cost < least ? cost : least;
        met += excess <= 0;
        mean += excess / seeds;
        worst = excess > worst ? excess : worst;
        used += budget.used / seeds;
    }
    map_problem_free(problem);
    printf("%-6s best known %u of %u, mean %+.4f %%, worst %+.4f %%, %.2f CPU s, %.0f M evaluations each, "
           "least %lld\n",
           name, met, seeds, mean, worst, (cpu_seconds() - start) / seeds, (double)used / 1e6,
           (long long)least);
    fflush(stdout);
    return error.status == BASE_OK ? 0 : -1;
}

int main(int argc, char **argv)
{
    struct map_effort effort = {0};
    char *unit = NULL;
    uint64_t amount = argc < 4 ? 0 : strtoull(argv[3], &unit, 10);

    if (unit != NULL && strcmp(unit, "ms") == 0)
        effort.time_ms = amount;
    else
        effort.evaluations = amount;
    for (int i = 4; i < argc; i++)
        if (study(argv[1], argv[i], (unsigned)strtoul(argv[2], NULL, 10), effort) != 0) {
            fprintf(stderr, "bench-mappers: %s cannot be read or mapped\n", argv[i]);
            return 1;
        }
    return argc < 5;
}
