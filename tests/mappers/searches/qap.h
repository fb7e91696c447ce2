/* Instances of QAPLIB (Burkard, Karisch, Rendl) whose distances are those of a mesh: n, then two n x n
 * matrices; and in a file beside it n and the best known value. Which of the matrices is which does not
 * matter to the optimum: the first is taken as the distances. */
#ifndef TESTS_MAPPERS_SEARCHES_QAP_H
#define TESTS_MAPPERS_SEARCHES_QAP_H

#include <stdint.h>
#include <stdio.h>

#define QAP_SIZE_MAX 150

struct qap {
    uint32_t size;
    long long best; /* over ordered pairs */
    uint64_t weights[QAP_SIZE_MAX * QAP_SIZE_MAX];
    uint16_t distances[QAP_SIZE_MAX * QAP_SIZE_MAX];
};

static inline int qap_read_matrices(struct qap *qap, FILE *stream)
{
    unsigned long number;

    if (fscanf(stream, "%u", &qap->size) != 1 || qap->size > QAP_SIZE_MAX)
        return -1;
    for (uint32_t i = 0; i < 2 * qap->size * qap->size; i++) {
        if (fscanf(stream, "%lu", &number) != 1)
            return -1;
        if (i < qap->size * qap->size)
            qap->distances[i] = (uint16_t)number;
        else
            qap->weights[i - qap->size * qap->size] = number;
    }
    return 0;
}

static inline int qap_read(struct qap *qap, const char *directory, const char *name)
{
    char path[5000];
    FILE *stream;
    uint32_t size = 0;
    int status = -1;

    snprintf(path, sizeof path, "%s/%s.dat", directory, name);
    stream = fopen(path, "r");
    if (stream == NULL)
        return -1;
    status = qap_read_matrices(qap, stream);
    fclose(stream);
    snprintf(path, sizeof path, "%s/%s.sln", directory, name);
    stream = fopen(path, "r");
    if (stream == NULL)
        return -1;
    if (fscanf(stream, "%u %lld", &size, &qap->best) != 2 || size != qap->size)
        status = -1;
    fclose(stream);
    return status;
}

#endif
