/* A machine: the options of its network, what messages cost its hosts, and what is published of it, in YAML.
 *
 *      machine: bluegene-q
 *      summary: IBM Blue Gene/Q, a midplane of 512 nodes
 *      options:                        # those that describe a network, as on the command line
 *        topology: torus:4x4x4x4x2
 *        link-bandwidth: 2GB/s
 *      host:                           # as --host has it (host-file.h); may be left out
 *        send-overhead: 500ns
 *      published-host:                 # what --host published takes; may be left out
 *        - {cost: nic-gap, value: 20ns, source: "Chen et al., SC 2011"}
 *      published:                      # what `flitreplay topology --machine` compares the network with
 *        - {figure: link-bandwidth, value: 2GB/s, source: "Chen et al., IEEE Micro 32(1), 2012"}
 *
 * Nothing else is allowed: an unknown key, figure or option, a key given twice, a value that the option refuses are
 * errors with line and column. */
#ifndef REPLAY_MACHINES_MACHINE_FILE_H
#define REPLAY_MACHINES_MACHINE_FILE_H

#include "base/input.h"
#include "replay/options.h"

/* What may be published of a machine, in the order of machine-figures.def. */
enum replay_figure {
#define REPLAY_FIGURE(symbol, name, kind, what) REPLAY_FIGURE_##symbol,
#include "replay/machines/machine-figures.def"
#undef REPLAY_FIGURE
    REPLAY_FIGURES
};

/* How a figure's value is written: 25GB/s, 30ns, a whole number. */
enum replay_figure_kind { REPLAY_FIGURE_RATE, REPLAY_FIGURE_DURATION, REPLAY_FIGURE_COUNT };

struct replay_figure_row {
    const char *name, *what;
    enum replay_figure_kind kind;
};
/* The row of machine-figures.def. A constant. */
const struct replay_figure_row *replay_figure_row(enum replay_figure figure);

/* Says of an option's value whether its names are known (replay_check_name of replay/session/kinds.h, which stands
 * above this folder). -1: BASE_USAGE with the nearest name. */
typedef int replay_name_check(enum replay_option option, const char *value, struct base_error *error);

struct replay_published {
    enum replay_figure figure;
    uint64_t value; /* bytes a second, picoseconds, or a count */
    const char *source;
};

/* Owned by the arena. */
struct replay_machine_file {
    struct base_arena arena;
    const char *name, *summary;         /* NULL: the file does not say */
    const char *option[REPLAY_OPTIONS]; /* as in the file; NULL: not there */
    const char *published_host;         /* a list as --host takes it; NULL: nothing is published */
    const struct replay_published *published;
    uint32_t published_count;
};

/* Fills a zeroed struct with the machine of a name (flitreplay list machines) or of a file, which is told from a name
 * by a slash or a point. check may be NULL: names of topologies, routings and so on are not looked at. -1: BASE_USAGE
 * with the nearest name, or where this program was built without libyaml; BASE_INPUT: "FILE: line 3, column 1: ...";
 * memory. Free in either case. */
int replay_machine_read(struct replay_machine_file *machine, const char *text, replay_name_check *check,
                        struct base_error *error);
void replay_machine_free(struct replay_machine_file *machine);

/* The machines that are installed (machines.def), each a file replay/machines/presets/NAME.yaml. */
struct replay_machine_name {
    const char *name, *summary;
};
const struct replay_machine_name *replay_machines(size_t *count);

/* Fills the options of an open file; machine-yaml.c reads it with libyaml, machine-none.c refuses. */
int replay_machine_parse(struct replay_machine_file *machine, const struct base_input *file,
                         replay_name_check *check, struct base_error *error);

#endif
