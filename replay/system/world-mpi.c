/* Processes that meet through MPI. */
/* Nothing here is of one implementation: MPI 3.0, whose collectives can be waited for without spinning.
 * Errors of MPI end all processes, which is its default: there is nothing that rank 0 could do about a peer
 * that is gone but what the same command does when it is started again. */
#include <config.h>

#include "replay/system/world.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

/* Between MPI_Init and MPI_Finalize; both questions may be asked at any time. */
static bool is_joined(void)
{
    int begun = 0, ended = 0;

    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    return begun != 0 && ended == 0;
}

/* A process that has not joined is alone. */
uint32_t replay_world_rank(void)
{
    int rank = 0;

    if (is_joined())
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return (uint32_t)rank;
}

/* 1 for a process that has not joined: it is alone. */
uint32_t replay_world_size(void)
{
    int size = 1;

    if (is_joined())
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    return (uint32_t)size;
}

/* A launcher of another MPI leaves every process alone in a world of its own. Libraries tell their version
 * in several lines with tabs (MPICH), or with their package and repository behind a comma (Open MPI): the
 * first part says which they are. */
static int check_world(uint32_t launched, struct base_error *error)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;

    if (launched <= 1 || replay_world_size() > 1)
        return 0;
    MPI_Get_library_version(version, &length);
    for (char *tab = strchr(version, '\t'); tab != NULL; tab = strchr(tab, '\t'))
        *tab = ' ';
    return base_error_set(error, BASE_USAGE,
                          "was started %u times by a launcher of another MPI than it was built with: %.*s",
                          launched, (int)strcspn(version, ",\r\n"), version);
}

/* MPI has threads of its own, which inherit the mask: a signal that one of them took would end the program,
 * and not the work (signals.h). SERIALIZED: threads ask for their runs one at a time, under a lock. */
static int begin(void)
{
    int provided = MPI_THREAD_SINGLE;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return provided;
}

/* Several threads of a process call MPI here, one at a time; fewer rights than that are refused. */
int replay_world_join(struct base_error *error)
{
    uint32_t rank = 0, size = 0;

    if (!replay_world_launched(&rank, &size))
        return 0;
    if (begin() < MPI_THREAD_SERIALIZED)
        return base_error_set(error, BASE_USAGE, "this MPI does not allow calls from several threads");
    return check_world(size, error);
}

/* For collectives: the slowest process may take its time. */
static void wait_for(MPI_Request request)
{
    uint32_t naps = 0;
    int is_done = 0;

    for (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE); !is_done;
         MPI_Test(&request, &is_done, MPI_STATUS_IGNORE))
        replay_world_nap(&naps);
}

/* The end of MPI waits for all as well, but by spinning. */
void replay_world_leave(void)
{
    MPI_Request request;

    if (!is_joined())
        return;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(request);
    MPI_Finalize();
}

/* Both sides are bytes: processes of different machines check that they mean the same by them. */
void replay_world_gather(const void *piece, void *all, size_t size)
{
    MPI_Request request;

    MPI_Igather(piece, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
}

/* Non-blocking and waited for with pauses, since a blocking one spins, on a processor that simulates. */
void replay_world_broadcast(void *data, size_t size)
{
    MPI_Request request;

    MPI_Ibcast(data, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
}

/* Waited for in the same way: the receiver may be in the middle of something, such as a commit to disk. */
void replay_world_send(uint32_t target, enum replay_world_tag tag, const void *data, size_t size)
{
    MPI_Request request;

    MPI_Isend(data, (int)size, MPI_BYTE, (int)target, (int)tag, MPI_COMM_WORLD, &request);
    wait_for(request);
}

/* One process receives at a time, so that what was looked at is what comes. */
bool replay_world_receive(enum replay_world_tag tag, uint32_t *source, void *data, size_t size)
{
    MPI_Status status;
    int is_there = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, (int)tag, MPI_COMM_WORLD, &is_there, &status);
    if (!is_there)
        return false;
    MPI_Recv(data, (int)size, MPI_BYTE, status.MPI_SOURCE, (int)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (source != NULL)
        *source = (uint32_t)status.MPI_SOURCE;
    return true;
}
