/* Fuzz target of the reader of technologies (netmodel/costs/technology.h): a text is refused where it is wrong, or says
 * finite numbers, none of them negative, or that it does not hold there. */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "netmodel/costs/technology.h"
#include "tests/fuzz/target.h"

/* What is not known is NaN; all else is a number. */
static void check(const double values[NET_COST_COLUMNS])
{
    for (size_t column = 0; column < NET_COST_COLUMNS; column++)
        if (isinf(values[column]) || values[column] < 0)
            abort();
}

/* Shapes at the corners of the installed technologies, between their nodes, and beyond. */
static void ask(const struct net_technology *technology)
{
    static const struct net_router_shape shapes[] = {
        {2, 32, 1, 2}, {9, 72, 3, 5}, {64, 256, 4, 32}, {4096, 1, 16, 1}};
    static const double lengths[] = {0, 1.5, 10, 1e6};
    double values[NET_COST_COLUMNS];
    struct base_error error;

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (net_technology_router(technology, &shapes[i], values, &error) == 0)
            check(values);
        if (net_technology_link(technology, shapes[i].flit_bits, lengths[i], values, &error) == 0)
            check(values);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *below = getenv("TMPDIR");
    char path[256];
    int file;
    struct base_error error;
    struct net_technology *technology;

    snprintf(path, sizeof path, "%.200s/flitreplay-fuzz-XXXXXX", below != NULL ? below : "/tmp");
    file = mkstemp(path);
    if (file < 0)
        return 0;
    if (write(file, data, size) == (ssize_t)size) {
        technology = net_technology_read(path, &error);
        if (technology == NULL && error.status != BASE_INPUT && error.status != BASE_SYSTEM)
            abort(); /* a file is never the fault of how the program was called */
        if (technology != NULL)
            ask(technology);
        net_technology_free(technology);
    }
    close(file);
    unlink(path);
    return 0;
}
