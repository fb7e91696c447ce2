/* Signals and the bar, as a user meets them: the program runs in a child, with standard error on a
 * pipe or on a terminal of its own (forkpty). It is asked where it is until it is where the test wants it. */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID 65536
#define PATIENCE_MS 300000 /* under a sanitizer, on a busy machine */

struct child {
    pid_t pid;
    int descriptor; /* what it says on standard error */
    char said[SAID];
    size_t length;
};

static char directory[] = "/tmp/flitreplay-signals-XXXXXX";
static char program[4096], trace[4096], answer[4096];

/* A signal that has been ignored by a parent would not reach the program; and whatever becomes of the test,
 * no program goes on without it. */
static void execute(char *const arguments[])
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(arguments[0], arguments);
    _exit(99);
}

static void start_on_pipe(struct child *child, char *const arguments[])
{
    int ends[2];

    *child = (struct child){0};
    assert_int_equal(pipe(ends), 0);
    child->pid = fork();
    assert_true(child->pid >= 0);
    if (child->pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        execute(arguments);
    }
    close(ends[1]);
    child->descriptor = ends[0];
}

static void start_on_terminal(struct child *child, char *const arguments[])
{
    *child = (struct child){0};
    child->pid = forkpty(&child->descriptor, NULL, NULL, NULL);
    assert_true(child->pid >= 0);
    if (child->pid == 0)
        execute(arguments);
}

/* Reads what there is within so many milliseconds. False: nothing, or nothing more ever. */
static bool listen_to(struct child *child, int milliseconds)
{
    struct pollfd wanted = {.fd = child->descriptor, .events = POLLIN};
    ssize_t got;

    if (poll(&wanted, 1, milliseconds) <= 0)
        return false;
    if (child->length + 1 >= SAID) /* keep the end */
        child->length = 0;
    got = read(child->descriptor, child->said + child->length, SAID - 1 - child->length);
    if (got <= 0)
        return false;
    child->length += (size_t)got;
    child->said[child->length] = '\0';
    return true;
}

/* The kernel's word for whether SIGUSR1 would be taken rather than end the program. */
static bool takes_signals(pid_t pid)
{
    char path[64], line[256];
    unsigned long long blocked = 0;
    FILE *status;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    status = fopen(path, "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "SigBlk: %llx", &blocked) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return (blocked >> (SIGUSR1 - 1) & 1) != 0;
}

/* Asks the child where it is until it says `where`. */
static void ask_until(struct child *child, const char *where)
{
    for (int tries = 0; tries < PATIENCE_MS / 20; tries++) {
        if (takes_signals(child->pid))
            kill(child->pid, SIGUSR1);
        while (listen_to(child, 20))
            if (strstr(child->said, where) != NULL)
                return;
    }
    kill(child->pid, SIGKILL);
    fail_msg("never said '%s', but '%s'", where, child->said);
}

/* The exit status; 1000 and the signal that ended it. */
static int end_of(struct child *child)
{
    int status;

    while (listen_to(child, PATIENCE_MS))
        ;
    assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
    close(child->descriptor);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static json_t *read_answer(void)
{
    json_t *json = json_load_file(answer, 0, NULL);

    assert_non_null(json);
    return json;
}

/* Begins a program, and ends it where it says that it is at `where`. */
static void end_at(struct child *child, char *const arguments[], const char *where, int number)
{
    start_on_pipe(child, arguments);
    ask_until(child, where);
    kill(child->pid, number);
    assert_int_equal(end_of(child), 128 + number);
}

/* A replay of minutes is ended in its middle: the answer says of how much it is, and has no slowdown. Batch systems
 * send SIGTERM and wait, terminals that close SIGHUP: both end as SIGINT does, with the status that a shell gives
 * them. */
static void test_run_is_partial(void **state)
{
    static const struct {
        int number;
        const char *said;
    } signals[] = {{SIGINT, "flitreplay: interrupted: writing partial results"},
                   {SIGTERM, "flitreplay: terminated: writing partial results"},
                   {SIGHUP, "flitreplay: terminated: writing partial results"}};
    char *arguments[] = {program, "run", trace, "--topology", "mesh:8x8", "--quiet", "--json", answer, NULL};
    struct child child;
    json_t *json;

    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        end_at(&child, arguments, "flitreplay: mesh:8x8, ", signals[i].number);
        assert_non_null(strstr(child.said, " simulated, "));
        assert_non_null(strstr(child.said, signals[i].said));
        assert_non_null(strstr(child.said, "the results are marked as partial"));
        json = read_answer();
        assert_string_equal(json_string_value(json_object_get(json, "interrupted")), "mesh:8x8");
        assert_true(json_real_value(json_object_get(json, "replayed_share")) < 1);
        assert_true(json_is_null(json_object_get(json, "slowdown")));
        assert_true(json_is_null(json_object_get(json, "attribution")));
        assert_non_null(json_object_get(json, "digest"));
        json_decref(json);
        unlink(answer);
    }
}

/* Whatever is in the directory of the test, hidden or not, but for itself and its parent. */
static int entries(void)
{
    DIR *listed = opendir(directory);
    int count = -2;

    assert_non_null(listed);
    while (readdir(listed) != NULL)
        count++;
    closedir(listed);
    return count;
}

/* A trace of which a part is written is none: it is taken away, and at once. */
static void test_writing_ends_early(void **state)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    char output[sizeof directory + 32];
    char *generate[] = {program, "generate", "lu", "--class", "C", "--ranks", "64", "-o", output, NULL};
    char *convert[] = {program, "convert", "generate:lu,class=C,ranks=64", "-o", output, "--quiet", NULL};
    struct child child;
    int before = entries();

    (void)state;
    snprintf(output, sizeof output, "%s/lu.otf2", directory);
    for (size_t i = 0; i < 2; i++) {
        start_on_pipe(&child, i == 0 ? generate : convert);
        ask_until(&child, i == 0 ? "flitreplay: writing, " : "flitreplay: otf2, ");
        assert_true(entries() > before); /* it has begun */
        kill(child.pid, numbers[i]);
        assert_int_equal(end_of(&child), 128 + numbers[i]);
        assert_non_null(strstr(child.said, "interrupted: nothing is written"));
        assert_int_equal(entries(), before);
    }
}

/* A second signal ends at once, in the middle of writing, and takes away what was begun all the same. Both are there
 * before the program can act on the first; the work may have ended all the same before the second is taken. */
static void test_second_leaves_nothing(void **state)
{
    char output[sizeof directory + 32];
    char *convert[] = {program, "convert", "generate:lu,class=C,ranks=64", "-o", output, "--quiet", NULL};
    struct child child;
    int before = entries();
    int at_once = 0;
    int status;

    (void)state;
    snprintf(output, sizeof output, "%s/lu.otf2", directory);
    for (int i = 0; i < 10; i++) {
        start_on_pipe(&child, convert);
        ask_until(&child, "flitreplay: otf2, ");
        kill(child.pid, SIGSTOP);
        kill(child.pid, SIGINT);
        kill(child.pid, SIGTERM);
        kill(child.pid, SIGCONT);
        status = end_of(&child);
        assert_true(status == 1000 + SIGTERM || status == 130);
        at_once += status != 130;
        assert_int_equal(entries(), before);
    }
    assert_true(at_once > 0);
}

/* A file that may not grow is a file that cannot be written: said, with nothing left. */
static void test_size_limit(void **state)
{
    char *arguments[] = {"/bin/sh",     "-c",      "ulimit -f 4; exec \"$@\"",
                         "sh",          program,   "topology",
                         "torus:32x32", "--quiet", "--svg",
                         answer,        NULL};
    struct child child;
    int before = entries();

    (void)state;
    start_on_pipe(&child, arguments);
    assert_int_equal(end_of(&child), 5);
    assert_non_null(strstr(child.said, "File too large"));
    assert_int_equal(entries(), before);
}

/* While the program reads, nobody waits for a result: a signal ends it as any other program. */
static void test_signal_while_reading(void **state)
{
    char fifo[sizeof directory + 16], graph[sizeof fifo + 8];
    char *arguments[] = {program, "topology", graph, NULL};
    struct child child;

    (void)state;
    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    snprintf(graph, sizeof graph, "graph:%s", fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    start_on_pipe(&child, arguments);
    ask_until(&child, "flitreplay: reading or writing files");
    ask_until(&child, "is a pipe: waiting for another program to write to it");
    kill(child.pid, SIGTERM);
    assert_int_equal(end_of(&child), 1000 + SIGTERM);
    unlink(fifo);
}

/* A file that is read in the middle of the work is waited for before it. */
static void test_signal_while_waiting(void **state)
{
    char fifo[sizeof directory + 16], mapping[sizeof fifo + 16];
    char *arguments[] = {program, "run", "generate:ring,ranks=4", "--topology", "mesh:2x2", "--mapping",
                         mapping, NULL};
    struct child child;

    (void)state;
    snprintf(fifo, sizeof fifo, "%s/fifo", directory);
    snprintf(mapping, sizeof mapping, "file:text:%s", fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    start_on_pipe(&child, arguments);
    ask_until(&child, "is a pipe: waiting for another program to write to it");
    kill(child.pid, SIGTERM);
    assert_int_equal(end_of(&child), 1000 + SIGTERM);
    unlink(fifo);
}

/* What jobs were alone is a result: it stays, beside the part of what they do together, which has no
 * interference. The job begins late, in long background traffic, so that it is company that takes time. */
static void test_jobs_together_are_partial(void **state)
{
    char *arguments[] = {program,      "run",
                         "--job",      "generate:ep,class=S,ranks=4,partition=row,start=900000000000",
                         "--job",      "traffic:uniform,load=0.2",
                         "--topology", "mesh:8x8",
                         "--quiet",    "--json",
                         answer,       NULL};
    struct child child;
    json_t *json, *job;

    (void)state;
    end_at(&child, arguments, "flitreplay: all jobs, ", SIGINT);
    assert_non_null(strstr(child.said, "the results are marked as partial"));
    json = read_answer();
    job = json_array_get(json_object_get(json, "jobs"), 0);
    assert_string_equal(json_string_value(json_object_get(json, "interrupted")), "mesh:8x8");
    assert_true(json_is_null(json_object_get(job, "interference")));
    assert_true(json_is_null(json_object_get(job, "slowdown")));
    assert_true(json_real_value(json_object_get(job, "replayed_share")) < 1);
    assert_true(json_integer_value(json_object_get(job, "alone_ns")) > 0);
    assert_true(json_real_value(json_object_get(job, "slowdown_alone")) >= 1);
    json_decref(json);
    unlink(answer);
}

/* Before all have been alone, those that have are told, and nothing of company. Progress names the job: the second
 * is asked for, so that the first has ended. */
static void test_jobs_alone_are_partial(void **state)
{
    char late[sizeof trace + 32];
    char *arguments[] = {program,   "run",    "--job",      "generate:ep,class=S,ranks=2",
                         "--job",   late,     "--topology", "mesh:16x8",
                         "--quiet", "--json", answer,       NULL};
    struct child child;
    json_t *json;

    (void)state;
    snprintf(late, sizeof late, "%s,start=7", trace);
    end_at(&child, arguments, "flitreplay: job 2 alone, ", SIGINT);
    json = read_answer();
    assert_string_equal(json_string_value(json_object_get(json, "interrupted")), "alone");
    assert_int_equal(json_array_size(json_object_get(json, "jobs")), 1);
    assert_true(
        json_is_null(json_object_get(json_array_get(json_object_get(json, "jobs"), 0), "interference")));
    json_decref(json);
    unlink(answer);
}

/* The points that were finished stay, and each says that others are missing. */
static void test_traffic_is_partial(void **state)
{
    char *arguments[] = {program, "traffic",  "--topology", "mesh:8x8", "--load", "0.01,0.4", "--warmup",
                         "0",     "--cycles", "30000000",   "--quiet",  "--json", answer,     NULL};
    char *shorter[] = {program, "traffic",  "--topology", "mesh:2x2", "--load", "0.00001,0.4", "--warmup",
                       "0",     "--cycles", "100000000",  "--quiet",  "--json", answer,        NULL};
    struct child child;
    json_t *json;

    (void)state;
    end_at(&child, arguments, "flitreplay: beginning, ", SIGINT); /* before the first point: no answer */
    assert_non_null(strstr(child.said, "interrupted before there was a result"));
    assert_int_equal(access(answer, F_OK), -1);

    end_at(&child, shorter, "flitreplay: runs, 50 %", SIGINT);
    json = read_answer();
    assert_int_equal(json_array_size(json), 1);
    assert_true(json_is_true(json_object_get(json_array_get(json, 0), "interrupted")));
    json_decref(json);
    unlink(answer);
}

/* The best placement of a search that would take days. */
static void test_map_is_partial(void **state)
{
    char *arguments[] = {program,  "map",      trace,           "--topology",    "mesh:8x8", "--mapping",
                         "anneal", "--static", "--evaluations", "1000000000000", "--quiet",  "--json",
                         answer,   NULL};
    struct child child;
    json_t *json;

    (void)state;
    end_at(&child, arguments, "flitreplay: placing the ranks, ", SIGINT);
    json = read_answer();
    assert_true(json_is_true(json_object_get(json, "interrupted")));
    assert_int_equal(json_array_size(json_object_get(json, "placement")), 64);
    json_decref(json);
    unlink(answer);
}

/* A search by replays, of which the first would take a minute: it ends in the middle, and has no answer. */
static void end_a_replay(char *command)
{
    char *arguments[] = {
        program,      command,    "generate:all-to-all,ranks=4,bytes=1073741824,iterations=20",
        "--topology", "mesh:2x2", "--mapping",
        "replay",     "--quiet",  "--json",
        answer,       NULL};
    struct child child;

    end_at(&child, arguments,
           strcmp(command, "map") == 0 ? "flitreplay: replays, " : "flitreplay: beginning, ", SIGINT);
    assert_non_null(strstr(child.said, "interrupted before there was a result"));
    assert_int_equal(access(answer, F_OK), -1);
}

static void test_search_ends_in_a_replay(void **state)
{
    (void)state;

    end_a_replay("map");
    end_a_replay("run");
}

/* A replay that judges a placement and is interrupted has no time: what is known without it is told. */
static void test_judging_ends_in_a_replay(void **state)
{
    char *arguments[] = {
        program,      "map",      "generate:all-to-all,ranks=4,bytes=1073741824,iterations=20",
        "--topology", "mesh:2x2", "--mapping",
        "random",     "--quiet",  "--json",
        answer,       NULL};
    struct child child;
    json_t *json;
    (void)state;

    end_at(&child, arguments, "flitreplay: replays, ", SIGINT);
    json = read_answer();
    assert_true(json_is_true(json_object_get(json, "interrupted")));
    assert_true(json_is_null(json_object_get(json, "simulated_ns")));
    assert_true(json_is_null(json_object_get(json_object_get(json, "identity"), "simulated_ns")));
    assert_true(json_is_null(json_object_get(json, "ideal_ns")));
    assert_true(json_integer_value(json_object_get(json, "hop_bytes")) > 0);
    json_decref(json);
    unlink(answer);
}

/* Of a search that has judged placements: their times are known, and no replay on the ideal network is begun for
 * them. */
static void test_search_is_partial(void **state)
{
    char *arguments[] = {program,      "map",           "generate:cg,class=S,ranks=4",
                         "--topology", "mesh:4x4",      "--mapping",
                         "replay",     "--evaluations", "1000000000000",
                         "--quiet",    "--json",        answer,
                         NULL};
    struct child child;
    json_t *json;
    (void)state;

    start_on_pipe(&child, arguments);
    ask_until(&child, "flitreplay: replays, ");
    sleep(2);
    kill(child.pid, SIGINT);
    assert_int_equal(end_of(&child), 130);
    json = read_answer();
    assert_true(json_is_true(json_object_get(json, "interrupted")));
    assert_true(json_integer_value(json_object_get(json, "evaluations")) > 0);
    assert_true(json_integer_value(json_object_get(json, "simulated_ns")) > 0);
    assert_true(json_is_null(json_object_get(json, "ideal_ns")));
    json_decref(json);
    unlink(answer);
}

/* A bar where somebody looks; the second SIGINT ends at once, with nothing left. */
static void test_terminal(void **state)
{
    char *arguments[] = {program, "run", trace, "--topology", "mesh:8x8", "--json", answer, NULL};
    char *stopped[] = {program, "traffic",  "--topology", "mesh:64x64", "--load", "0.9", "--warmup",
                       "0",     "--cycles", "100000000",  "--json",     answer,   NULL};
    struct child child;

    (void)state;
    start_on_terminal(&child, arguments);
    ask_until(&child, "mesh:8x8         [");
    ask_until(&child, "%, ");
    assert_non_null(strstr(child.said, " MiB"));
    kill(child.pid, SIGINT);
    assert_int_equal(end_of(&child), 130);
    unlink(answer);

    start_on_terminal(&child, stopped);
    ask_until(&child, "flitreplay: beginning, ");
    kill(child.pid, SIGSTOP); /* so that both are there before it can act on the first */
    kill(child.pid, SIGINT);
    kill(child.pid, SIGCONT);
    while (strstr(child.said, "once more ends at once") == NULL && listen_to(&child, PATIENCE_MS))
        ;
    kill(child.pid, SIGINT);
    (void)end_of(&child); /* 130 if the first was faster */
    assert_int_equal(access(answer, F_OK), -1);
}

/* A comparison of which some runs take a moment and the last ones longer than anybody waits: what was
 * finished is in the answer, of the run that was under way the part that was replayed; the rest is missing,
 * and nothing is claimed. */
static void assert_partial_comparison(void)
{
    json_t *json = read_answer();
    json_t *run;
    size_t index;
    size_t done = 0, missing = 0, parts = 0;

    assert_true(json_is_true(json_object_get(json, "interrupted")));
    assert_true(json_is_false(json_object_get(json, "complete")));
    json_array_foreach(json_object_get(json, "runs"), index, run)
    {
        const char *text = json_string_value(json_object_get(run, "state"));
        done += strcmp(text, "done") == 0;
        missing += strcmp(text, "missing") == 0;
        if (strcmp(text, "interrupted") != 0)
            continue;
        parts++;
        assert_true(json_real_value(json_object_get(run, "replayed_share")) < 1);
        assert_true(json_integer_value(json_object_get(run, "simulated_ns")) > 0);
        assert_true(json_is_null(json_object_get(run, "slowdown")));
    }
    assert_true(done > 0 && missing > 0);
    assert_int_equal(parts, 1);
    assert_int_equal(done + missing + parts, json_array_size(json_object_get(json, "runs")));
    json_decref(json);
    unlink(answer);
}

/* The bar of a comparison counts runs, with the simulated time of all and of a second; in a pipe only SIGUSR1
 * makes it speak. */
static void test_comparison(void **state)
{
    char *arguments[] = {program,
                         "compare",
                         "generate:ring,ranks=16",
                         trace,
                         "--topology",
                         "torus:8x8",
                         "--packet-flits",
                         "8",
                         "--packet-flits",
                         "16",
                         "--seeds",
                         "3",
                         "--json",
                         answer,
                         NULL};
    struct child child;

    (void)state;
    start_on_terminal(&child, arguments);
    ask_until(&child, "6 of 12 runs     [##########..........]  50 %");
    ask_until(&child, "/s  ");
    ask_until(&child, " MiB");
    ask_until(&child, "  ends in ");
    ask_until(&child, "flitreplay: 6 of 12 runs, 51 %, ");
    kill(child.pid, SIGINT);
    assert_int_equal(end_of(&child), 130);
    assert_non_null(strstr(child.said, "flitreplay compare: interrupted: the results are marked as partial"));
    assert_partial_comparison();

    start_on_pipe(&child, arguments);
    ask_until(&child, "flitreplay: 6 of 12 runs, 51 %, ");
    assert_null(strchr(child.said, '['));
    kill(child.pid, SIGINT);
    assert_int_equal(end_of(&child), 130);
    assert_partial_comparison();
}

/* Of its only run, which takes minutes, a comparison tells how far it is, and when it will end; what was
 * replayed until it is stopped is in the answer, and is to be done anew. */
static void test_first_run(void **state)
{
    char store[sizeof directory + 32];
    char *arguments[] = {program, "compare", trace,  "--topology", "mesh:8x8", "-j",
                         "2",     "--json",  answer, "--results",  store,      NULL};
    struct child child;
    json_t *json, *run;

    (void)state;
    snprintf(store, sizeof store, "%s/first.db", directory);
    if (strstr(BUILT_WITH, "SQLite") == NULL)
        arguments[9] = NULL;
    for (int pass = 0; pass < 2; pass++) { /* the second finds nothing done */
        if (pass == 0)
            start_on_terminal(&child, arguments);
        else
            start_on_pipe(&child, arguments);
        if (pass == 0)
            ask_until(&child, "0 of 1 runs      [#...................]   5 %");
        ask_until(&child, "flitreplay: 0 of 1 runs, 6 %, ");
        ask_until(&child, "  ends in ");
        kill(child.pid, SIGINT);
        assert_int_equal(end_of(&child), 130);
        json = read_answer();
        assert_int_equal(json_array_size(json_object_get(json, "runs")), 1);
        run = json_array_get(json_object_get(json, "runs"), 0);
        assert_string_equal(json_string_value(json_object_get(run, "state")), "interrupted");
        assert_true(json_real_value(json_object_get(run, "replayed_share")) > 0.05);
        assert_true(json_is_false(json_object_get(json, "complete")));
        json_decref(json);
        unlink(answer);
    }
}

/* In a pipe a run that nobody disturbs says nothing. */
static void test_silence(void **state)
{
    char *arguments[] = {program, "topology", "mesh:2x2", "--quiet", NULL};
    char *traffic[] = {program, "traffic", "--topology", "mesh:2x2", "--load", "0.1", "--quiet", NULL};
    char *compare[] = {
        program, "compare", "generate:ring,ranks=4", "--topology", "mesh:2x2", "--seeds", "2", "--json",
        answer,  NULL};
    struct child child;

    (void)state;
    start_on_pipe(&child, arguments);
    assert_int_equal(end_of(&child), 0);
    assert_int_equal(child.length, 0);
    start_on_pipe(&child, compare);
    assert_int_equal(end_of(&child), 0);
    assert_int_equal(child.length, 0);
    unlink(answer);
    start_on_pipe(&child, traffic);
    assert_int_equal(end_of(&child), 0);
    assert_int_equal(child.length, 0);
}

/* The program itself. A script of libtool's before it would be asked in its place until it is at its end, and a shell that
 * blocks signals while it forks, as dash does, looks as if it took them: it dies of the first. */
static void find_program(const char *build)
{
    const char *others = getenv("LD_LIBRARY_PATH");
    char first[2] = "";
    char libraries[8192];
    FILE *file;
    bool script;

    snprintf(program, sizeof program, "%s/flitreplay", build);
    file = fopen(program, "rb");
    script =
        file != NULL && fread(first, 1, sizeof first, file) == sizeof first && memcmp(first, "#!", 2) == 0;
    if (file != NULL)
        fclose(file);
    if (!script)
        return;
    snprintf(program, sizeof program, "%s/.libs/flitreplay", build);
    snprintf(libraries, sizeof libraries, "%s/.libs%s%s", build, others == NULL ? "" : ":",
             others == NULL ? "" : others);
    setenv("LD_LIBRARY_PATH", libraries, 1);
}

/* A program of 64 ranks whose replay takes minutes, and is ended long before. */
static int set_up(void **state)
{
    const char *build = getenv("top_builddir");
    struct child child;
    char *arguments[] = {
        program, "generate", "king",    "--ranks", "64", "--set", "iterations=300,bytes=60000",
        "-o",    trace,      "--quiet", NULL};

    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    find_program(build == NULL ? "." : build);
    snprintf(trace, sizeof trace, "%s/king.otf2", directory);
    snprintf(answer, sizeof answer, "%s/answer.json", directory);
    start_on_pipe(&child, arguments);
    return end_of(&child);
}

static int tear_down(void **state)
{
    char command[sizeof directory + 16];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_is_partial),
        cmocka_unit_test(test_writing_ends_early),
        cmocka_unit_test(test_second_leaves_nothing),
        cmocka_unit_test(test_size_limit),
        cmocka_unit_test(test_signal_while_reading),
        cmocka_unit_test(test_signal_while_waiting),
        cmocka_unit_test(test_traffic_is_partial),
        cmocka_unit_test(test_jobs_together_are_partial),
        cmocka_unit_test(test_jobs_alone_are_partial),
        cmocka_unit_test(test_map_is_partial),
        cmocka_unit_test(test_search_ends_in_a_replay),
        cmocka_unit_test(test_judging_ends_in_a_replay),
        cmocka_unit_test(test_search_is_partial),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_first_run),
        cmocka_unit_test(test_silence),
    };
    return cmocka_run_group_tests_name("signals", tests, set_up, tear_down);
}
