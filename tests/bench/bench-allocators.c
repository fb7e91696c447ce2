/* What allocators cost a machine: utilisation and compactness of many jobs, one table line for an allocator.
 *
 *     bench-allocators TOPOLOGY JOBS LEAST MOST log|uniform SEED [place=PREFIX:SIZE,SIZE...] ALLOCATOR...
 *
 * Jobs of LEAST to MOST terminals (uniform, or uniform in their logarithm) wait in a queue that is never
 * empty and is served in its order, without backfilling; they run for exponential times of mean 1. The first
 * tenth fills the machine and does not count. Columns: utilisation (terminals that running jobs asked for,
 * mean over time, share of the machine), internal (idle terminals of all partitions, share of theirs); means
 * over jobs: distance (mean pairwise, divided by that of the smallest square that holds the job, on an empty
 * machine), scattered (share of jobs in several pieces), foreign (share of the rectangle around a job that is
 * not its own). doc/reproduce/partitions runs it, doc/partitions.md discusses it.
 *
 * With place=PREFIX:SIZE,SIZE... jobs of these sizes come last, to the machine that the others have left
 * fragmented, and stay. The terminals of the i-th are written to the file PREFIXi, for --partition
 * file:PREFIXi. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "mappers/partitions/partition.h"

struct job {
    struct map_partition *partition;
    double end;
};

struct study {
    struct net_topology *topology;
    uint32_t jobs, least, most;
    bool logarithmic;
    uint64_t seed;
    const char *place; /* "PREFIX:SIZE,SIZE..."; NULL: nobody comes last */
    double *square;    /* [size]: mean distance of the smallest square, 0: not yet asked for */
};

/* Of the jobs after the first tenth. */
struct sums {
    double area, from, idle, owned, distance, scattered, foreign;
    uint32_t jobs;
};

static void stop(const struct base_error *error)
{
    fprintf(stderr, "%s\n", error->text);
    exit(2);
}

static uint32_t draw_size(const struct study *study, struct base_random *random)
{
    double unit = base_random_unit(random);

    if (!study->logarithmic)
        return study->least + (uint32_t)base_random_below(random, study->most - study->least + 1);
    return (uint32_t)floor(exp(log(study->least) + unit * log((study->most + 1.0) / study->least)));
}

/* The reference is the mean over the cells of the square that the job needs, as if it used all of it. */
static double square_of(struct study *study, uint32_t ranks)
{
    struct map_partition_metrics metrics;
    struct base_error error;
    struct map_demand demand = {study->topology, NULL, ranks, 1};
    struct map_partition *partition;

    if (study->square[ranks] > 0 || ranks < 2)
        return study->square[ranks];
    partition = map_partition_new("square", &demand, NULL, &error);
    if (partition == NULL || map_partition_measure(partition, study->topology, NULL, &metrics, &error) != 0)
        stop(&error);
    /* Of a square only partly used the distance shrinks as its root. */
    study->square[ranks] = metrics.mean_distance * sqrt((double)ranks / partition->count);
    map_partition_free(partition);
    return study->square[ranks];
}

/* What is measured of a job when it starts. */
static void count_job(struct study *study, const struct map_partition *partition, const bool *busy,
                      struct sums *sums)
{
    struct map_partition_metrics metrics;
    struct base_error error;
    double own = partition->count, square = square_of(study, partition->asked);

    if (map_partition_measure(partition, study->topology, busy, &metrics, &error) != 0)
        stop(&error);
    sums->idle += metrics.idle;
    sums->owned += own;
    sums->distance += square > 0 ? metrics.mean_distance / square : 1;
    sums->scattered += metrics.components > 1;
    sums->foreign += metrics.foreign / (metrics.foreign + own);
    sums->jobs++;
}

/* The job that ends first, and its terminals are free again. *asked: what running jobs have asked for. */
static double end_one(struct study *study, struct job *running, bool *busy, uint64_t *asked)
{
    struct job *first = NULL;
    double now;

    for (uint32_t i = 0; i < study->topology->terminals; i++)
        if (running[i].partition != NULL && (first == NULL || running[i].end < first->end))
            first = &running[i];
    if (first == NULL || isinf(first->end)) {
        fprintf(stderr, "a job does not fit on the empty machine\n");
        exit(2);
    }
    now = first->end;
    *asked -= first->partition->asked;
    for (uint32_t i = 0; i < first->partition->count; i++)
        busy[first->partition->terminal[i]] = false;
    map_partition_free(first->partition);
    first->partition = NULL;
    return now;
}

/* A slot of the list: there are no more jobs than terminals. */
static void start(struct study *study, struct job *running, bool *busy, struct map_partition *partition,
                  double end)
{
    uint32_t slot = 0;

    while (running[slot].partition != NULL)
        slot++;
    running[slot] = (struct job){partition, end};
    for (uint32_t i = 0; i < partition->count; i++)
        busy[partition->terminal[i]] = true;
    (void)study;
}

static void write_partition(const char *prefix, int length, unsigned number,
                            const struct map_partition *partition)
{
    char path[4096];
    FILE *stream;

    snprintf(path, sizeof path, "%.*s%u", length, prefix, number);
    stream = fopen(path, "w");
    for (uint32_t i = 0; stream != NULL && i < partition->count; i++)
        fprintf(stream, "%" PRIu32 "\n", partition->terminal[i]);
    if (stream == NULL || fclose(stream) != 0) {
        perror(path);
        exit(5);
    }
}

/* NULL when there is no room now; whatever else is wrong ends the program. */
static struct map_partition *partition_now(const char *allocator, const struct map_demand *demand)
{
    struct base_error error;
    bool no_room;
    struct map_partition *partition = map_partition_new(allocator, demand, &no_room, &error);

    if (partition == NULL && !no_room)
        stop(&error);
    return partition;
}

/* Those that come last. Each waits until enough of the others have ended; none of them ends. */
static void place_last(struct study *study, const char *allocator, struct job *running, bool *busy,
                       uint64_t *asked)
{
    const char *size = strchr(study->place, ':');
    int length = (int)(size - study->place);

    for (unsigned number = 1; *size != '\0'; number++) {
        struct map_demand demand = {study->topology, busy, (uint32_t)strtoul(size + 1, (char **)&size, 10),
                                    study->seed};
        struct map_partition *partition;

        while ((partition = partition_now(allocator, &demand)) == NULL)
            end_one(study, running, busy, asked);
        write_partition(study->place, length, number, partition);
        *asked += demand.ranks;
        start(study, running, busy, partition, INFINITY);
    }
}

/* First come, first served. */
static struct sums simulate(struct study *study, const char *allocator)
{
    uint32_t terminals = study->topology->terminals;
    struct job *running = calloc(terminals, sizeof *running);
    bool *busy = calloc(terminals, sizeof *busy);
    struct sums sums = {0};
    struct base_random random;
    double now = 0;
    uint64_t asked = 0;

    if (running == NULL || busy == NULL)
        exit(5);
    base_random_seed(&random, study->seed, 1);
    for (uint32_t number = 0; number < study->jobs; number++) {
        uint32_t ranks = draw_size(study, &random);
        double length = -log(1 - base_random_unit(&random));
        struct map_demand demand = {study->topology, busy, ranks, study->seed + number};
        struct map_partition *partition;

        while ((partition = partition_now(allocator, &demand)) == NULL) {
            double before = now, share = (double)asked;
            now = end_one(study, running, busy, &asked);
            if (number > study->jobs / 10)
                sums.area += share * (now - before);
        }
        if (number == study->jobs / 10)
            sums.from = now;
        if (number >= study->jobs / 10)
            count_job(study, partition, busy, &sums);
        asked += ranks;
        start(study, running, busy, partition, now + length);
    }
    sums.area /= (now - sums.from) * terminals;
    if (study->place != NULL)
        place_last(study, allocator, running, busy, &asked);
    for (uint32_t i = 0; i < terminals; i++)
        map_partition_free(running[i].partition);
    free(running);
    free(busy);
    return sums;
}

int main(int count, char **arguments)
{
    struct study study = {0};
    struct base_error error = {0};

    if (count > 7 && strncmp(arguments[7], "place=", 6) == 0 && strchr(arguments[7], ':') != NULL)
        study.place = arguments[7] + 6;
    if (count < (study.place == NULL ? 8 : 9)) {
        fprintf(stderr, "bench-allocators TOPOLOGY JOBS LEAST MOST log|uniform SEED "
                        "[place=PREFIX:SIZE,SIZE...] ALLOCATOR...\n");
        return 2;
    }
    study.topology = net_topology_new(arguments[1], &error);
    if (study.topology == NULL)
        stop(&error);
    study.jobs = (uint32_t)strtoul(arguments[2], NULL, 10);
    study.least = (uint32_t)strtoul(arguments[3], NULL, 10);
    study.most = (uint32_t)strtoul(arguments[4], NULL, 10);
    study.logarithmic = strcmp(arguments[5], "log") == 0;
    study.seed = strtoull(arguments[6], NULL, 10);
    study.square = calloc((size_t)study.most + 2, sizeof *study.square);
    if (study.square == NULL || study.least == 0 || study.most < study.least || study.jobs < 10) {
        free(study.square);
        return 2;
    }
    printf("%-22s %11s %9s %9s %9s %9s\n", "allocator", "utilisation", "internal", "distance", "scattered",
           "foreign");
    for (int i = study.place == NULL ? 7 : 8; i < count; i++) {
        struct sums sums = simulate(&study, arguments[i]);

        printf("%-22s %11.2f %9.2f %9.2f %9.2f %9.2f\n", arguments[i], sums.area, sums.idle / sums.owned,
               sums.distance / sums.jobs, sums.scattered / sums.jobs, sums.foreign / sums.jobs);
        fflush(stdout);
    }
    free(study.square);
    net_topology_free(study.topology);
    return 0;
}
