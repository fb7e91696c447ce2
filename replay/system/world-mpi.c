/* The module by which processes meet through MPI. */
/* Nothing here is of one implementation: MPI 3.0, whose collectives can be waited for without spinning.
 * Errors of MPI end all processes, which is its default: there is nothing that rank 0 could do about a peer
 * that is gone but what the same command does when it is started again. Which process this is is MPI's to know, and
 * there is no variable of ours. */
#include <config.h>

#include "replay/system/world-module.h"

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static uint32_t own_rank(void)
{
    int rank = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return (uint32_t)rank;
}

static uint32_t own_size(void)
{
    int size = 1;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return (uint32_t)size;
}

/* A launcher of another MPI leaves every process alone in a world of its own. Libraries tell their version
 * in several lines with tabs (MPICH), or with their package and repository behind a comma (Open MPI): the
 * first part says which they are. */
static bool check_world(uint32_t launched, char *text, size_t room)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;

    if (launched <= 1 || own_size() > 1)
        return true;
    MPI_Get_library_version(version, &length);
    for (char *tab = strchr(version, '\t'); tab != NULL; tab = strchr(tab, '\t'))
        *tab = ' ';
    snprintf(text, room,
             "was started %u times by a launcher of another MPI than its module was built with: %.*s",
             launched, (int)strcspn(version, ",\r\n"), version);
    return false;
}

/* MPI has threads of its own, which inherit the mask: a signal that one of them took would end the program,
 * and not the work (replay/commands/signals.h). */
static void begin(void)
{
    int provided = MPI_THREAD_SINGLE;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A program that uses the library may have begun MPI itself, and ends it. SERIALIZED: threads ask for their runs one
 * at a time, under a lock. */
static bool join(const struct replay_world_module *module, uint32_t launched, bool *begun, char *text,
                 size_t room)
{
    int is_begun = 0, has_ended = 0, provided = MPI_THREAD_SINGLE;

    (void)module;
    MPI_Initialized(&is_begun);
    MPI_Finalized(&has_ended);
    if (has_ended != 0) {
        snprintf(text, room, "MPI has ended in this process, and cannot begin anew");
        return false;
    }
    if (is_begun == 0)
        begin();
    *begun = is_begun == 0;
    MPI_Query_thread(&provided);
    if (provided >= MPI_THREAD_SERIALIZED)
        return check_world(launched, text, room);
    snprintf(text, room, "this MPI does not allow calls from several threads");
    return false;
}

/* For collectives: the slowest process may take its time. */
static void wait_for(const struct replay_world_module *module, MPI_Request request)
{
    uint32_t naps = 0;
    int is_done = 0;

    for (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE); !is_done;
         MPI_Test(&request, &is_done, MPI_STATUS_IGNORE))
        module->nap(&naps);
}

/* The end of MPI waits for all as well, but by spinning. */
static void leave(const struct replay_world_module *module, bool begun)
{
    int is_begun = 0, has_ended = 0;
    MPI_Request request;

    MPI_Initialized(&is_begun);
    MPI_Finalized(&has_ended);
    if (is_begun == 0 || has_ended != 0)
        return;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(module, request);
    if (begun)
        MPI_Finalize();
}

/* Both sides are bytes: processes of different machines check that they mean the same by them. */
static void gather(const struct replay_world_module *module, const void *piece, void *all, size_t size)
{
    MPI_Request request;

    MPI_Igather(piece, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(module, request);
}

/* Non-blocking and waited for with pauses, since a blocking one spins, on a processor that simulates. */
static void broadcast(const struct replay_world_module *module, void *data, size_t size)
{
    MPI_Request request;

    MPI_Ibcast(data, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(module, request);
}

/* Waited for in the same way: the receiver may be in the middle of something, such as a commit to disk. */
static void send(const struct replay_world_module *module, uint32_t target, int tag, const void *data,
                 size_t size)
{
    MPI_Request request;

    MPI_Isend(data, (int)size, MPI_BYTE, (int)target, tag, MPI_COMM_WORLD, &request);
    wait_for(module, request);
}

/* One process receives at a time, so that what was looked at is what comes. */
static bool receive(int tag, uint32_t *source, void *data, size_t size)
{
    MPI_Status status;
    int is_there = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_there, &status);
    if (!is_there)
        return false;
    MPI_Recv(data, (int)size, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (source != NULL)
        *source = (uint32_t)status.MPI_SOURCE;
    return true;
}

/* All that the module shows. */
__attribute__((visibility("default"))) replay_world_entry flitreplay_world;

void flitreplay_world(struct replay_world_module *module)
{
    *module = (struct replay_world_module){.version = REPLAY_WORLD_VERSION,
                                           .join = join,
                                           .leave = leave,
                                           .rank = own_rank,
                                           .size = own_size,
                                           .gather = gather,
                                           .broadcast = broadcast,
                                           .send = send,
                                           .receive = receive};
}
