/* One pass over the links. Lengths are those that costs are worked out from (netmodel/costs/layout.h): declared in a
 * file, or from router to router where these have places. */
#include "reports/topology/link-classes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "netmodel/costs/layout.h"

/* A network of equal links without a name for them has nothing to say. */
static bool has_classes(const struct net_topology *topology)
{
    if (topology->shared != NULL || topology->multistage != NULL)
        return false;
    for (uint32_t i = 0; i < topology->link_count; i++)
        if (topology->links[i].length != 0)
            return true;
    return topology->link_class_count > 0 || topology->own_latencies || topology->narrow_links;
}

/* Ranges over the links of a class. Its latencies are called its own only where every link has one; the first link
 * starts all ranges. */
static void add_link(struct report_link_class *class, const struct net_link *link, double length)
{
    uint32_t width = net_link_width(link);
    bool first = class->channels++ == 0;
    class->length += link->length;
    class->own_latencies = (first || class->own_latencies) && link->latency != 0;
    class->latency_min = first || link->latency < class->latency_min ? link->latency : class->latency_min;
    class->latency_max = link->latency > class->latency_max ? link->latency : class->latency_max;
    class->width_min = first || width < class->width_min ? width : class->width_min;
    class->width_max = width > class->width_max ? width : class->width_max;
    class->length_min = first || length < class->length_min ? length : class->length_min;
    class->length_max = length > class->length_max ? length : class->length_max;
}

#define MM_OF_M 1000

/* In racks every link is a cable, in metres. */
static const char *measure_cables(const struct net_topology *topology, const struct net_racks *racks,
                                  double *lengths)
{
    const struct net_layout layout = {.pitch_mm = 1, .racks = *racks};

    if (net_layout_lengths(topology, &layout, lengths) != NULL)
        return NULL;
    for (uint32_t i = 0; i < topology->link_count; i++)
        lengths[i] /= MM_OF_M;
    return "m";
}

/* On a chip in pitches of a terminal, unless the file says millimetres. */
static const char *unit_of(const struct net_topology *topology, const struct net_racks *racks,
                           double *lengths)
{
    static const struct net_layout in_pitches = {.pitch_mm = 1};

    if (racks != NULL && racks->routers > 0)
        return measure_cables(topology, racks, lengths);
    if (net_layout_lengths(topology, &in_pitches, lengths) != NULL)
        return NULL;
    return topology->link_count > 0 && topology->links[0].length > 0 ? "mm" : "pitches";
}

/* One class named `link` where a topology names none but its links differ all the same; no class where they do
 * not. The lists are in the arena; -1: out of memory. One pass over the links, whatever the number of classes. */
int report_link_classes_of(const struct net_topology *topology, const struct net_racks *racks,
                           struct base_arena *arena, struct report_link_classes *classes)
{
    uint32_t count = topology->link_class_count > 0 ? topology->link_class_count : 1;
    *classes = (struct report_link_classes){0};
    if (!has_classes(topology))
        return 0;
    struct report_link_class *list = base_arena_array(arena, count, sizeof *list);
    double *lengths = base_arena_array(arena, (size_t)topology->link_count + 1, sizeof *lengths);
    if (list == NULL || lengths == NULL)
        return -1;
    const char *unit = unit_of(topology, racks, lengths);
    for (uint32_t i = 0; i < count; i++) {
        list[i].name = topology->link_class_count > 0 ? topology->link_classes[i] : "link";
        list[i].unit = unit;
    }
    for (uint32_t i = 0; i < topology->link_count; i++)
        add_link(&list[topology->links[i].class_number], &topology->links[i], lengths[i]);
    *classes = (struct report_link_classes){list, count};
    return 0;
}

/* A range, or the one value there is; behind what stands in the text already. */
static void append_range(char text[REPORT_LINK_CLASS_TEXT], const char *what, double from, double to,
                         const char *unit)
{
    size_t length = strlen(text);
    snprintf(text + length, REPORT_LINK_CLASS_TEXT - length, "%s%s %.4g", length > 0 ? ", " : "", what, from);
    length = strlen(text);
    if (from < to)
        snprintf(text + length, REPORT_LINK_CLASS_TEXT - length, " to %.4g", to);
    length = strlen(text);
    snprintf(text + length, REPORT_LINK_CLASS_TEXT - length, "%s", unit);
}

/* Widths are shares of a flit per cycle: 1/W. */
static void append_width(char text[REPORT_LINK_CLASS_TEXT], const struct report_link_class *class)
{
    size_t length = strlen(text);
    const char *comma = length > 0 ? ", " : "";
    if (class->width_max == 1)
        return;
    if (class->width_min == class->width_max)
        snprintf(text + length, REPORT_LINK_CLASS_TEXT - length, "%swidth 1/%" PRIu32, comma,
                 class->width_max);
    else
        snprintf(text + length, REPORT_LINK_CLASS_TEXT - length,
                 class->width_min == 1 ? "%swidth 1/%" PRIu32 " to 1" : "%swidth 1/%" PRIu32 " to 1/%" PRIu32,
                 comma, class->width_max, class->width_min);
}

/* What is known of a class in one line: length, latency, width; links like any other's are left out, and a class
 * without links is empty. Returns the text. What differs within a class is a range. */
const char *report_link_class_text(const struct report_link_class *class, char text[REPORT_LINK_CLASS_TEXT])
{
    text[0] = '\0';
    if (class->channels == 0)
        return text;
    if (class->unit != NULL)
        append_range(text, "length", class->length_min, class->length_max,
                     class->unit[0] == 'p' && class->length_max == 1 ? " pitch"
                     : class->unit[0] == 'p'                         ? " pitches"
                     : strcmp(class->unit, "m") == 0                 ? " m"
                                                                     : " mm");
    else if (class->length > 0)
        append_range(text, "length in all", (double)class->length, (double)class->length, " mm");
    if (class->own_latencies)
        append_range(text, "latency", class->latency_min, class->latency_max, "");
    else if (class->latency_max > 0)
        append_range(text, "latency up to", class->latency_max, class->latency_max, ", or of --link-cycles");
    append_width(text, class);
    return text;
}
