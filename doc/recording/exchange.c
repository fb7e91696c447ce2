/* A small program to record. What it sends follows from the number of ranks P alone, so a recording can be compared:
 *
 *   once       MPI_Bcast      100 ints from rank 0
 *   20 times   MPI_Send, MPI_Recv   1000 doubles to the right neighbour (rank + 1)
 *              MPI_Isend, MPI_Irecv, MPI_Waitall   500 doubles to the left neighbour (rank - 1)
 *              MPI_Allreduce  1 double
 *   once       MPI_Alltoall   64 ints for each rank
 *              MPI_Gather     8 doubles of each rank at rank 0
 *              MPI_Barrier
 *              MPI_Send, MPI_Recv   1 int from every other rank to rank 0
 *
 * Point to point: 40 P + P - 1 messages of 240000 P + 4 (P - 1) bytes in all; tests/cli/test-recording compares.
 * With the argument "sendrecv" the right neighbour is served by MPI_Sendrecv: not every recorder
 * sees those. The program needs two ranks: one alone would wait for itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 20, RIGHT = 1000, LEFT = 500, TABLE = 100, BLOCK = 64, RESULT = 8 };

/* What a rank computes in an iteration: a smoothing of its values, and their sum. */
static double smooth(double *values, int count)
{
    double sum = 0;
    for (int i = 1; i < count - 1; i++) {
        values[i] = (values[i - 1] + 2 * values[i] + values[i + 1]) / 4;
        sum += values[i];
    }
    return sum;
}

/* Even ranks send first, odd ones receive first, so nobody waits in a circle, however long the messages are. */
static void shift(double *values, double *from_left, int rank, int ranks, int sendrecv)
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    if (sendrecv) {
        MPI_Sendrecv(values, RIGHT, MPI_DOUBLE, right, 1, from_left, RIGHT, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        if (turn == rank % 2)
            MPI_Send(values, RIGHT, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
        else
            MPI_Recv(from_left, RIGHT, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static double iterate(int rank, int ranks, int sendrecv)
{
    static double values[RIGHT], from_left[RIGHT], from_right[LEFT];
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
    double total = rank;
    for (int i = 0; i < ITERATIONS; i++) {
        values[i] += total;
        double sum = smooth(values, RIGHT);
        shift(values, from_left, rank, ranks, sendrecv);
        MPI_Request requests[2];
        MPI_Irecv(from_right, LEFT, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(values, LEFT, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        sum += from_left[RIGHT / 2] - from_right[LEFT / 2];
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return total;
}

/* Rank 0 hears from all others, in the order of ranks. */
static void report(int rank, int ranks)
{
    int word = rank;
    if (rank != 0)
        MPI_Send(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    for (int other = 1; rank == 0 && other < ranks; other++)
        MPI_Recv(&word, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The operations that happen once; rank 0 prints what it gathered. */
static int finish(int rank, int ranks, double total)
{
    size_t all = (size_t)ranks;
    int *sent = calloc(all * BLOCK, sizeof *sent), *received = calloc(all * BLOCK, sizeof *received);
    double result[RESULT] = {total};
    double *results = calloc(all * RESULT, sizeof *results);
    if (sent == NULL || received == NULL || results == NULL)
        return MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Alltoall(sent, BLOCK, MPI_INT, received, BLOCK, MPI_INT, MPI_COMM_WORLD);
    MPI_Gather(result, RESULT, MPI_DOUBLE, results, RESULT, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    report(rank, ranks);
    if (rank == 0)
        printf("%d ranks, result %g\n", ranks, results[0]);
    free(sent);
    free(received);
    free(results);
    return 0;
}

int main(int argc, char **argv)
{
    static int table[TABLE];
    int rank, ranks;
    int sendrecv = argc > 1 && strcmp(argv[1], "sendrecv") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2)
        return MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(table, TABLE, MPI_INT, 0, MPI_COMM_WORLD);
    int status = finish(rank, ranks, iterate(rank, ranks, sendrecv));
    MPI_Finalize();
    return status;
}
