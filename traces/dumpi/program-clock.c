/* Compute time: the gaps between calls, and the time inside local ones, by the clock that was asked for.
 *
 *     ... MPI_Send |--gap--| MPI_Comm_rank |--gap--| MPI_Recv ...
 *                     +         (local)       +               = one TRACE_COMPUTE before the receive
 *
 * Threads' records come in the order of their ends and low-resolution clocks step back: a negative gap is
 * nothing. */
#include "traces/dumpi/clock.h"

void trace_dumpi_clock(struct trace_dumpi_decoder *decoder, bool local)
{
    trace_dumpi_take_time(decoder, decoder->record, local);
}
