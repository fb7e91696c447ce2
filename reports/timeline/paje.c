/* Times are seconds with nine decimals, so that no nanosecond is lost. Numbers of events are those of the
 * definitions below; aliases are a letter and a number, so that no name can be taken for another. */
#include "reports/timeline/paje.h"

#include <inttypes.h>
#include <stdlib.h>

#include "reports/pages/clean.h"

/* The definitions: an event's number, its name, and the fields of its lines in their order. */
#define EVENT(number, name, fields) "%EventDef " name " " number "\n" fields "%EndEventDef\n"
#define FIELD(name, type) "%  " name " " type "\n"

static const char definitions[] = EVENT(
    "0", "PajeDefineContainerType", FIELD("Alias", "string") FIELD("Type", "string") FIELD("Name", "string"))
    EVENT("1", "PajeDefineStateType",
          FIELD("Alias", "string") FIELD("Type", "string") FIELD("Name", "string"))
        EVENT("2", "PajeDefineVariableType",
              FIELD("Alias", "string") FIELD("Type", "string") FIELD("Name", "string")
                  FIELD("Color", "color"))
            EVENT("3", "PajeDefineLinkType",
                  FIELD("Alias", "string") FIELD("Type", "string") FIELD("StartContainerType", "string")
                      FIELD("EndContainerType", "string") FIELD("Name", "string"))
                EVENT("4", "PajeDefineEntityValue",
                      FIELD("Alias", "string") FIELD("Type", "string") FIELD("Name", "string")
                          FIELD("Color", "color"))
                    EVENT("5", "PajeCreateContainer",
                          FIELD("Time", "date") FIELD("Alias", "string") FIELD("Type", "string")
                              FIELD("Container", "string") FIELD("Name", "string"))
                        EVENT("6", "PajeDestroyContainer",
                              FIELD("Time", "date") FIELD("Type", "string") FIELD("Name", "string"))
                            EVENT("7", "PajeSetState",
                                  FIELD("Time", "date") FIELD("Type", "string") FIELD("Container", "string")
                                      FIELD("Value", "string"))
                                EVENT("8", "PajeSetVariable",
                                      FIELD("Time", "date") FIELD("Type", "string")
                                          FIELD("Container", "string") FIELD("Value", "double"))
                                    EVENT("9", "PajeStartLink",
                                          FIELD("Time", "date") FIELD("Type", "string")
                                              FIELD("Container", "string") FIELD("Value", "string")
                                                  FIELD("StartContainer", "string") FIELD("Key", "string"))
                                        EVENT("10", "PajeEndLink",
                                              FIELD("Time", "date") FIELD("Type", "string")
                                                  FIELD("Container", "string") FIELD("Value", "string")
                                                      FIELD("EndContainer", "string") FIELD("Key", "string"));

/* Types of containers, of what they do, and what a message is: in the order of their definitions. */
static const char types[] = "0 Network 0 \"network\"\n"
                            "0 Channel Network \"channel\"\n"
                            "1 State Rank \"state\"\n"
                            "2 Mean Network \"mean load\" \"0 0.447 0.698\"\n"
                            "2 Load Channel \"load\" \"0.835 0.369 0\"\n"
                            "2 Energy Network \"energy, J\" \"0 0.62 0.451\"\n"
                            "3 Message 0 Rank Rank \"message\"\n"
                            "4 m Message \"message\" \"0.133 0.149 0.169\"\n";

/* A quoted text ends at the next quote: in names there is an apostrophe instead. */
static void put_name(struct report_paje *paje, const char *name)
{
    char *clean = malloc(report_clean_room(name));

    paje->failed |= clean == NULL;
    fputs(" \"", paje->stream);
    if (clean != NULL)
        for (const char *at = report_clean_printable(name, clean); *at != '\0'; at++)
            putc(*at == '"' ? '\'' : *at, paje->stream);
    putc('"', paje->stream);
    free(clean);
}

/* Nanoseconds are cut into seconds and a fraction as whole numbers: through a double a long run would lose its
 * last digits. */
static void begin_event(const struct report_paje *paje, int event, uint64_t ns)
{
    fprintf(paje->stream, "%d %" PRIu64 ".%09" PRIu64, event, ns / 1000000000, ns % 1000000000);
}

/* Comments say where it comes from; a line feed would end one. */
static void put_comment(struct report_paje *paje, const char *what, const char *text)
{
    fprintf(paje->stream, "# %s:", what);
    put_name(paje, text);
    putc('\n', paje->stream);
}

/* Some readers take comments only behind the definitions, which have to come first. */
void report_paje_begin(struct report_paje *paje, FILE *stream, const char *trace, const char *topology,
                       const char *version, bool has_jobs)
{
    *paje = (struct report_paje){.stream = stream};
    fputs(definitions, stream);
    put_comment(paje, "trace", trace);
    put_comment(paje, "topology", topology);
    put_comment(paje, "flitreplay", version);
    fputs(has_jobs ? "0 Job 0 \"job\"\n0 Rank Job \"rank\"\n" : "0 Rank 0 \"rank\"\n", stream);
    fputs(types, stream);
    begin_event(paje, 5, 0);
    fputs(" network Network 0 \"network\"\n", stream);
}

/* A container within the network's, in which those of its ranks are. All containers are made at time 0, also of
 * jobs that start later. */
void report_paje_job(struct report_paje *paje, uint32_t job, const char *name)
{
    begin_event(paje, 5, 0);
    fprintf(paje->stream, " j%" PRIu32 " Job 0", job);
    put_name(paje, name);
    putc('\n', paje->stream);
}

/* Readers want every container ended, and no event of it later: so ranks end first. */
void report_paje_job_end(struct report_paje *paje, uint64_t time_ns, uint32_t job)
{
    begin_event(paje, 6, time_ns);
    fprintf(paje->stream, " Job j%" PRIu32 "\n", job);
}

/* The alias has the rank's number in the whole program, which is unique; the name has that in its job, which is
 * what the user knows. */
void report_paje_rank(struct report_paje *paje, uint32_t rank, uint32_t job, uint32_t number)
{
    begin_event(paje, 5, 0);
    fprintf(paje->stream, " r%" PRIu32 " Rank ", rank);
    if (job == REPORT_PAJE_NO_JOB)
        putc('0', paje->stream);
    else
        fprintf(paje->stream, "j%" PRIu32, job);
    fprintf(paje->stream, " \"rank %" PRIu32 "\"\n", number);
}

/* At the rank's own end: what stands behind it in a viewer is empty, not idle. */
void report_paje_rank_end(struct report_paje *paje, uint64_t time_ns, uint32_t rank)
{
    begin_event(paje, 6, time_ns);
    fprintf(paje->stream, " Rank r%" PRIu32 "\n", rank);
}

/* Colours are three shares of one. */
void report_paje_define(struct report_paje *paje, uint32_t number, const char *name, report_color color)
{
    fprintf(paje->stream, "4 s%" PRIu32 " State", number);
    put_name(paje, name);
    fprintf(paje->stream, " \"%.3f %.3f %.3f\"\n", (color >> 16 & 255) / 255., (color >> 8 & 255) / 255.,
            (color & 255) / 255.);
}

/* A state lasts until the next one of the rank is set; so the time between two calls needs one of its own. */
void report_paje_state(struct report_paje *paje, uint64_t time_ns, uint32_t rank, uint32_t number)
{
    begin_event(paje, 7, time_ns);
    fprintf(paje->stream, " State r%" PRIu32 " s%" PRIu32 "\n", rank, number);
}

/* Both ends have the same key, in hexadecimal, by which readers put them together. */
void report_paje_link(struct report_paje *paje, uint64_t time_ns, uint32_t rank, uint64_t number,
                      bool is_head)
{
    begin_event(paje, is_head ? 10 : 9, time_ns);
    fprintf(paje->stream, " Message 0 m r%" PRIu32 " k%" PRIx64 "\n", rank, number);
}

/* One for each channel that is busy enough to be shown, beside the ranks. */
void report_paje_channel(struct report_paje *paje, uint32_t number, const char *name)
{
    begin_event(paje, 5, 0);
    fprintf(paje->stream, " c%" PRIu32 " Channel network", number);
    put_name(paje, name);
    putc('\n', paje->stream);
}

/* A type of variable of its own: viewers draw each type with its own scale. */
void report_paje_counter(struct report_paje *paje, uint32_t number, const char *name)
{
    fprintf(paje->stream, "2 N%" PRIu32 " Network", number);
    put_name(paje, name);
    fputs(" \"0.8 0.475 0.655\"\n", paje->stream);
}

/* A value holds until the next one: counters of the whole network since the beginning. */
void report_paje_count(struct report_paje *paje, uint64_t time_ns, uint32_t number, uint64_t count)
{
    begin_event(paje, 8, time_ns);
    fprintf(paje->stream, " N%" PRIu32 " network %" PRIu64 "\n", number, count);
}

/* Twelve digits bring the whole number of flits back. */
void report_paje_load(struct report_paje *paje, uint64_t time_ns, uint32_t number, double load)
{
    begin_event(paje, 8, time_ns);
    fprintf(paje->stream, " Load c%" PRIu32 " %.12g\n", number, load);
}

/* A variable of the network's own container, of a type of its own, so that its scale is not that of the busiest
 * channel. */
void report_paje_mean(struct report_paje *paje, uint64_t time_ns, double load)
{
    begin_event(paje, 8, time_ns);
    fprintf(paje->stream, " Mean network %.12g\n", load);
}

/* What has been used since the beginning, in joules: a sum, whose slope is the power. */
void report_paje_energy(struct report_paje *paje, uint64_t time_ns, double joules)
{
    begin_event(paje, 8, time_ns);
    fprintf(paje->stream, " Energy network %.12g\n", joules);
}

/* Channels end with the network that they are in. */
int report_paje_end(struct report_paje *paje, uint64_t time_ns)
{
    begin_event(paje, 6, time_ns);
    fputs(" Network network\n", paje->stream);
    return paje->failed ? -1 : 0;
}
