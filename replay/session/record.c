/* The record of options, from the settings and from what the network took in place of those that were not
 * given. */
#include "replay/session/record.h"

#include "netmodel/choices.h"
#include "netmodel/faults/failing.h"
#include "replay/session/setup.h"

struct replay_record replay_record_of(const struct replay_setup *setup)
{
    return (struct replay_record){.settings = setup->settings,
                                  .topology = setup->topology,
                                  .routing = setup->routing,
                                  .network = setup->in_force,
                                  .share = setup->link_share};
}

struct replay_record replay_record_with(const struct replay_setup *setup, const struct net_network *network)
{
    struct replay_record record = replay_record_of(setup);

    record.network = *net_network_options(network);
    record.share = net_link_share_of(network);
    return record;
}

enum report_value replay_record_kind(enum replay_option option)
{
    switch (replay_option_row(option)->kind) {
    case REPLAY_KIND_COUNT:
    case REPLAY_KIND_BYTES:
    case REPLAY_KIND_DECIMAL:
        return REPORT_NUMBER;
    case REPLAY_KIND_FLAG:
        return REPORT_FLAG;
    default:
        return REPORT_TEXT;
    }
}

/* Numbers whose default the network chooses. */
static uint64_t number_of(const struct replay_record *record, enum replay_option option)
{
    if (option == REPLAY_VCS)
        return record->network.virtual_channels;
    if (option == REPLAY_BUFFER_FLITS)
        return record->network.buffer_flits;
    if (option == REPLAY_PACKET_FLITS)
        return record->network.packet_flits;
    if (option == REPLAY_CONSUMERS)
        return record->network.consumers;
    return record->settings->number[option];
}

/* None where no link fails, or where the routing itself goes around those that are dead. */
static const char *fault_routing_of(const struct net_routing *routing)
{
    const struct net_failing *failing = net_routing_failing(routing);

    return failing == NULL ? replay_option_absent(REPLAY_FAULT_ROUTING) : failing->kind->name;
}

/* As the option would be typed, so that a record can be given again. Texts that stand for something computed
 * are what they became: the network's text, the routing with its parameters. */
const char *replay_record_value(const struct replay_record *record, enum replay_option option,
                                char text[BASE_UNITS_TEXT])
{
    const char *given = record->settings->text[option];
    size_t count;
    enum report_value kind = replay_record_kind(option);

    if (kind == REPORT_FLAG)
        return record->settings->number[option] != 0 ? "yes" : "no";
    if (option == REPLAY_BUFFER_FLITS && record->network.buffer_flits == 0)
        return NULL; /* there are none */
    if (kind == REPORT_NUMBER)
        return replay_option_format(option, number_of(record, option), text);
    switch (option) {
    case REPLAY_TOPOLOGY:
        return record->topology->text;
    case REPLAY_ROUTING:
        return record->routing == NULL ? "none" : record->routing->text;
    case REPLAY_MULTIPLEXING:
        return net_multiplexings(&count)[record->network.multiplexed]->name;
    case REPLAY_FAULT_ROUTING:
        return fault_routing_of(record->routing);
    default:
        return given == NULL ? replay_option_absent(option) : given;
    }
}

/* Only options that bear on the result: where it was written to is no part of it. */
int replay_record_options(const struct replay_record *record, bool (*is_recorded)(enum replay_option option),
                          struct base_arena *arena, struct report_option **options, uint32_t *count)
{
    struct report_option *rows = base_arena_array(arena, REPLAY_OPTIONS, sizeof *rows);

    *options = rows;
    *count = 0;
    for (enum replay_option option = 0; rows != NULL && option < REPLAY_OPTIONS; option++) {
        char text[BASE_UNITS_TEXT];
        const char *value;
        if (!is_recorded(option))
            continue;
        value = replay_record_value(record, option, text);
        rows[*count] = (struct report_option){replay_option_row(option)->name,
                                              value == NULL ? NULL : base_arena_text(arena, value),
                                              replay_record_kind(option)};
        if (value != NULL && rows[*count].value == NULL)
            return -1;
        ++*count;
    }
    return rows == NULL ? -1 : 0;
}

struct report_link_use replay_record_link_use(const struct replay_record *record)
{
    const struct net_link_share *share = &record->share;

    return (struct report_link_use){.share = (double)share->most.flits / (double)share->most.cycles,
                                    .entering =
                                        (double)share->entering.flits / (double)share->entering.cycles,
                                    .buffer_flits = record->network.buffer_flits,
                                    .enough_flits = share->buffer_flits,
                                    .limited = share->limited,
                                    .wormhole = record->network.flow_control == NET_WORMHOLE};
}
