/* The table of calls.def by function. Functions without an entry are local. A handler is what a record of the
 * function does to the program; `local` calls count as compute, `polls` may be a part of a polling loop (calls.def
 * says which is which). */
#include "traces/dumpi/handlers.h"

/* The time inside is left out, as that of all communication, and nothing else is known. */
int trace_dumpi_on_nothing(struct trace_dumpi_decoder *decoder)
{
    (void)decoder;
    return 0;
}

#define TRACE_DUMPI_CALL(function, handler, ...)                                                             \
    [DPT_##function] = {trace_dumpi_on_##handler, false, false, __VA_ARGS__},
#define TRACE_DUMPI_POLL(function, handler, ...)                                                             \
    [DPT_##function] = {trace_dumpi_on_##handler, false, true, __VA_ARGS__},
#define TRACE_DUMPI_FREE(function, handler, ...)                                                             \
    [DPT_##function] = {trace_dumpi_on_##handler, true, false, __VA_ARGS__},
const struct trace_dumpi_call trace_dumpi_calls[DPT_FUNCTION_COUNT] = {
#include "traces/dumpi/calls.def"
};
#undef TRACE_DUMPI_CALL
#undef TRACE_DUMPI_POLL
#undef TRACE_DUMPI_FREE

const struct trace_dumpi_call trace_dumpi_local_call = {.local = true, .treatment = TRACE_EXACT};
