/* From physical units to the model's, in whole numbers: bytes a second, picoseconds, kHz.
 *
 * What a user gave stands; what a machine's file says gives way to it, also where the two say the same thing in
 * different units (--link-cycles against a file's link-latency). */
#include "replay/machines/units.h"

#include <inttypes.h>
#include <string.h>

#include "replay/machines/host-file.h"
#include "replay/machines/machine-file.h"

#define KILO UINT64_C(1000)
#define CLOCK_KHZ_MAX UINT64_C(1000000000)
#define FLIT_BYTES_MAX 65536
#define CYCLES_MAX 1024           /* of a link, and of a router */
#define PS_OF_NS_MILLIONTH (1000) /* millionths of a nanosecond, in a picosecond */
#define AGREE UINT64_C(1000000)   /* a bandwidth may be off by one part of so many */

/* Flits that are tried, in this order, where nobody says how wide they are. */
static const uint64_t widths[] = {8, 16, 32, 64};

/* A latency in physical units, and the cycles that it becomes. */
struct latency {
    enum replay_option physical, cycles;
    uint64_t more, least; /* cycles beside those of the time; at least so many in all */
};

static const struct latency latencies[] = {{REPLAY_LINK_LATENCY, REPLAY_LINK_CYCLES, 0, 1},
                                           {REPLAY_ROUTER_LATENCY, REPLAY_ROUTER_CYCLES, 1, 1}};
#define LATENCIES (sizeof latencies / sizeof *latencies)

/* By a user, not by a machine. */
static bool is_asked(const struct replay_settings *settings, enum replay_option option)
{
    return settings->given[option] && !settings->derived[option];
}

/* A number of an option that gives way to a user's, in the unit of its row: kHz of a clock, bytes of a flit. */
static int derive_number(struct replay_settings *settings, enum replay_option option, uint64_t number,
                         struct base_error *error)
{
    char text[BASE_UNITS_TEXT];

    return replay_settings_derive(settings, option, replay_option_format(option, number, text), error);
}

/* ---- bandwidth ---- */

/* The clock of flits so wide, in kHz. False: it is not whole, or too fast. */
static bool clock_of(uint64_t bytes_per_s, uint64_t flit_bytes, uint64_t *khz)
{
    *khz = bytes_per_s / (flit_bytes * KILO);
    return *khz >= 1 && *khz <= CLOCK_KHZ_MAX && *khz * flit_bytes * KILO == bytes_per_s;
}

/* Cycles of a latency under a clock; more than CYCLES_MAX where no link or router may have so many. */
static uint64_t cycles_of(const struct replay_settings *settings, const struct latency *latency, uint64_t khz)
{
    uint64_t cycles = base_cycles_from_ps(settings->number[latency->physical], khz) + latency->more;

    return cycles < latency->least ? latency->least : cycles;
}

/* Whether all latencies that are asked for can be had of a clock. */
static bool latencies_fit(const struct replay_settings *settings, uint64_t khz)
{
    for (size_t i = 0; i < LATENCIES; i++)
        if (settings->given[latencies[i].physical] && cycles_of(settings, &latencies[i], khz) > CYCLES_MAX)
            return false;
    return true;
}

/* Of flits so wide there is no such bandwidth: the next ones below and above are. */
static int refuse_bandwidth(const struct replay_settings *settings, uint64_t flit_bytes,
                            struct base_error *error)
{
    uint64_t step = flit_bytes * KILO, khz = settings->number[REPLAY_LINK_BANDWIDTH] / step;
    uint64_t below = khz > CLOCK_KHZ_MAX ? CLOCK_KHZ_MAX : khz < 1 ? 1 : khz;
    uint64_t above = below == CLOCK_KHZ_MAX || khz < 1 ? below : below + 1;
    char low[BASE_UNITS_TEXT], high[BASE_UNITS_TEXT];

    base_format_rate(below * step, "", low);
    base_format_rate(above * step, "", high);
    return base_error_set(error, BASE_USAGE,
                          "--link-bandwidth %s: with flits of %" PRIu64
                          " bytes no clock of whole kHz up to 1000 GHz gives that; %s%s%s would do",
                          settings->text[REPLAY_LINK_BANDWIDTH], flit_bytes, low,
                          below == above ? "" : " or ", below == above ? "" : high);
}

/* Both are given by a user: they must agree, and stand as they are. */
static int check_agreement(const struct replay_settings *settings, struct base_error *error)
{
    uint64_t bandwidth = settings->number[REPLAY_LINK_BANDWIDTH];
    uint64_t flit = settings->number[REPLAY_FLIT_BYTES], khz = settings->number[REPLAY_CLOCK_GHZ];
    uint64_t is = flit * khz * KILO, off = is > bandwidth ? is - bandwidth : bandwidth - is;
    uint64_t whole;
    char rate[BASE_UNITS_TEXT], clock[BASE_UNITS_TEXT];

    if (off <= bandwidth / AGREE)
        return 0;
    base_format_rate(is, "", rate);
    base_error_set(error, BASE_USAGE,
                   "--link-bandwidth %s, but --flit-bytes %" PRIu64 " at --clock-ghz %s is %s; leave one out",
                   settings->text[REPLAY_LINK_BANDWIDTH], flit, settings->text[REPLAY_CLOCK_GHZ], rate);
    if (clock_of(bandwidth, flit, &whole))
        base_error_append(error, ", or give --clock-ghz %s",
                          replay_option_format(REPLAY_CLOCK_GHZ, whole, clock));
    if (bandwidth % (khz * KILO) == 0 && bandwidth / (khz * KILO) <= FLIT_BYTES_MAX)
        base_error_append(error, ", or give --flit-bytes %" PRIu64, bandwidth / (khz * KILO));
    return -1;
}

/* The clock is a user's: flits are as wide as it says. */
static int fit_flits(struct replay_settings *settings, struct base_error *error)
{
    uint64_t bandwidth = settings->number[REPLAY_LINK_BANDWIDTH];
    uint64_t step = settings->number[REPLAY_CLOCK_GHZ] * KILO, bytes = bandwidth / step;
    char low[BASE_UNITS_TEXT], high[BASE_UNITS_TEXT];

    if (bytes >= 1 && bytes <= FLIT_BYTES_MAX && bytes * step == bandwidth)
        return derive_number(settings, REPLAY_FLIT_BYTES, bytes, error);
    bytes = bytes < 1 ? 1 : bytes >= FLIT_BYTES_MAX ? FLIT_BYTES_MAX - 1 : bytes;
    base_format_rate(bytes * step, "", low);
    base_format_rate((bytes + 1) * step, "", high);
    return base_error_set(error, BASE_USAGE,
                          "--link-bandwidth %s: at --clock-ghz %s a flit would not be of whole bytes up to "
                          "65536; %s or %s would do",
                          settings->text[REPLAY_LINK_BANDWIDTH], settings->text[REPLAY_CLOCK_GHZ], low, high);
}

/* Flits are so wide: the clock follows. */
static int fit_clock(struct replay_settings *settings, uint64_t flit_bytes, struct base_error *error)
{
    uint64_t khz;

    if (!clock_of(settings->number[REPLAY_LINK_BANDWIDTH], flit_bytes, &khz))
        return refuse_bandwidth(settings, flit_bytes, error);
    if (!settings->given[REPLAY_FLIT_BYTES] &&
        derive_number(settings, REPLAY_FLIT_BYTES, flit_bytes, error) != 0)
        return -1;
    return derive_number(settings, REPLAY_CLOCK_GHZ, khz, error);
}

/* Nobody says how wide flits are: the narrowest with which the clock is whole and latencies fit. */
static int choose_width(struct replay_settings *settings, struct base_error *error)
{
    uint64_t bandwidth = settings->number[REPLAY_LINK_BANDWIDTH];
    uint64_t khz;
    uint64_t possible = 0; /* the last with a whole clock, for latencies to be refused with */

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (!clock_of(bandwidth, widths[i], &khz))
            continue;
        possible = widths[i];
        if (latencies_fit(settings, khz))
            break;
    }
    return fit_clock(settings, possible != 0 ? possible : widths[0], error);
}

/* Four cases: both flits and clock are a user's, one of them is, or none. A machine's flits stand where the user gives
 * a bandwidth: they are what the maker's packets are made of, and the clock is what follows. */
static int apply_bandwidth(struct replay_settings *settings, struct base_error *error)
{
    bool flits = is_asked(settings, REPLAY_FLIT_BYTES), clock = is_asked(settings, REPLAY_CLOCK_GHZ);

    if (flits && clock)
        return check_agreement(settings, error);
    if (clock)
        return fit_flits(settings, error);
    if (settings->given[REPLAY_FLIT_BYTES])
        return fit_clock(settings, settings->number[REPLAY_FLIT_BYTES], error);
    return choose_width(settings, error);
}

/* ---- latencies ---- */

/* A user who gives cycles and a time must mean the same. */
static int apply_latency(struct replay_settings *settings, const struct latency *latency,
                         struct base_error *error)
{
    uint64_t khz = settings->number[REPLAY_CLOCK_GHZ], cycles = cycles_of(settings, latency, khz);
    const char *physical = replay_option_row(latency->physical)->name;
    const char *own = replay_option_row(latency->cycles)->name;
    char clock[BASE_UNITS_TEXT];

    replay_option_format(REPLAY_CLOCK_GHZ, khz, clock);
    if (is_asked(settings, latency->cycles) && settings->number[latency->cycles] != cycles)
        return base_error_set(
            error, BASE_USAGE, "--%s %s at --clock-ghz %s is --%s %" PRIu64 ", not %s; leave one out",
            physical, settings->text[latency->physical], clock, own, cycles, settings->text[latency->cycles]);
    if (cycles > CYCLES_MAX)
        return base_error_set(error, BASE_USAGE,
                              "--%s %s at --clock-ghz %s is %" PRIu64
                              " cycles, of which there may be %d; wider flits make cycles longer",
                              physical, settings->text[latency->physical], clock, cycles, CYCLES_MAX);
    return derive_number(settings, latency->cycles, cycles, error);
}

/* Behind the bandwidth, whose clock they are counted in. Per metre there is no cycle to round to: a picosecond is a
 * thousandth of the nanosecond that --link-latency-per-m is in. */
static int apply_latencies(struct replay_settings *settings, struct base_error *error)
{
    uint64_t per_m = settings->number[REPLAY_CABLE_LATENCY_PER_M] * PS_OF_NS_MILLIONTH;

    for (size_t i = 0; i < LATENCIES; i++)
        if (settings->given[latencies[i].physical] && apply_latency(settings, &latencies[i], error) != 0)
            return -1;
    if (!settings->given[REPLAY_CABLE_LATENCY_PER_M])
        return 0;
    if (is_asked(settings, REPLAY_LINK_LATENCY_PER_M) && settings->number[REPLAY_LINK_LATENCY_PER_M] != per_m)
        return base_error_set(
            error, BASE_USAGE,
            "--cable-latency-per-m %s, but --link-latency-per-m %s (nanoseconds); leave one "
            "out",
            settings->text[REPLAY_CABLE_LATENCY_PER_M], settings->text[REPLAY_LINK_LATENCY_PER_M]);
    return derive_number(settings, REPLAY_LINK_LATENCY_PER_M, per_m, error);
}

/* ---- machines ---- */

/* What of a machine a user's option stands for as well. */
static const struct {
    enum replay_option asked, machine;
} replaced[] = {{REPLAY_LINK_CYCLES, REPLAY_LINK_LATENCY},
                {REPLAY_LINK_LATENCY, REPLAY_LINK_CYCLES},
                {REPLAY_ROUTER_CYCLES, REPLAY_ROUTER_LATENCY},
                {REPLAY_ROUTER_LATENCY, REPLAY_ROUTER_CYCLES},
                {REPLAY_LINK_LATENCY_PER_M, REPLAY_CABLE_LATENCY_PER_M},
                {REPLAY_CABLE_LATENCY_PER_M, REPLAY_LINK_LATENCY_PER_M},
                {REPLAY_LINK_BANDWIDTH, REPLAY_CLOCK_GHZ}};

/* Flits and a clock of a user are a bandwidth: that of the machine, from which one of them followed, is none any
 * more where both are given. */
static int give_way(struct replay_settings *settings, struct base_error *error)
{
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++)
        if (is_asked(settings, replaced[i].asked) && settings->derived[replaced[i].machine] &&
            replay_settings_underive(settings, replaced[i].machine, error) != 0)
            return -1;
    if (is_asked(settings, REPLAY_FLIT_BYTES) && is_asked(settings, REPLAY_CLOCK_GHZ) &&
        settings->derived[REPLAY_LINK_BANDWIDTH])
        return replay_settings_underive(settings, REPLAY_LINK_BANDWIDTH, error);
    return 0;
}

/* Options that the machine gives and a user did not, or gave as it does. */
static int apply_machine(struct replay_settings *settings, replay_name_check *check, struct base_error *error)
{
    struct replay_machine_file machine = {0};
    int status = replay_machine_read(&machine, settings->text[REPLAY_MACHINE], check, error);

    for (enum replay_option option = 0; status == 0 && option < REPLAY_OPTIONS; option++)
        if (machine.option[option] != NULL &&
            (!is_asked(settings, option) || strcmp(settings->text[option], machine.option[option]) == 0))
            status = replay_settings_derive(settings, option, machine.option[option], error);
    replay_machine_free(&machine);
    return status == 0 ? give_way(settings, error) : -1;
}

/* In this order: what was derived before is forgotten, the machine's file fills what is free, and units are worked out
 * last, from what a user and the file say together. */
int replay_units_apply(struct replay_settings *settings, replay_name_check *check, struct base_error *error)
{
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (settings->derived[option] && replay_settings_underive(settings, option, error) != 0)
            return -1;
    if (settings->text[REPLAY_MACHINE] != NULL && apply_machine(settings, check, error) != 0)
        return -1;
    if (replay_host_apply(settings, error) != 0)
        return -1;
    if (settings->given[REPLAY_LINK_BANDWIDTH] && apply_bandwidth(settings, error) != 0)
        return -1;
    return apply_latencies(settings, error);
}
