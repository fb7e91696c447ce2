/* The handlers of functions, by the files that hold them (calls.def says which function has which). */
#ifndef TRACE_DUMPI_HANDLERS_H
#define TRACE_DUMPI_HANDLERS_H

#include "traces/dumpi/program.h"

/* Adds count repairs of one kind. */
void trace_dumpi_repair_times(struct trace_dumpi_decoder *decoder, enum trace_dumpi_repair repair,
                              uint64_t count);

/* program-messages.c */
trace_dumpi_handler trace_dumpi_on_send, trace_dumpi_on_ssend, trace_dumpi_on_bsend;
trace_dumpi_handler trace_dumpi_on_isend, trace_dumpi_on_issend, trace_dumpi_on_ibsend;
trace_dumpi_handler trace_dumpi_on_receive, trace_dumpi_on_ireceive;
trace_dumpi_handler trace_dumpi_on_sendrecv, trace_dumpi_on_sendrecv_replace;
trace_dumpi_handler trace_dumpi_on_send_init, trace_dumpi_on_ssend_init, trace_dumpi_on_bsend_init;
trace_dumpi_handler trace_dumpi_on_receive_init, trace_dumpi_on_start, trace_dumpi_on_startall;
trace_dumpi_handler trace_dumpi_on_probe, trace_dumpi_on_iprobe;
/* program-waits.c */
trace_dumpi_handler trace_dumpi_on_wait, trace_dumpi_on_waitany, trace_dumpi_on_waitall;
trace_dumpi_handler trace_dumpi_on_waitsome, trace_dumpi_on_test, trace_dumpi_on_testany;
trace_dumpi_handler trace_dumpi_on_testall, trace_dumpi_on_testsome, trace_dumpi_on_get_status;
trace_dumpi_handler trace_dumpi_on_free, trace_dumpi_on_cancel;
/* program-collectives.c */
trace_dumpi_handler trace_dumpi_on_collective;
/* program-implied.c, but for nothing: a call of which only the time is left out */
trace_dumpi_handler trace_dumpi_on_nothing;
trace_dumpi_handler trace_dumpi_on_init, trace_dumpi_on_finalize;
trace_dumpi_handler trace_dumpi_on_creation, trace_dumpi_on_inter_creation, trace_dumpi_on_comm_free;
trace_dumpi_handler trace_dumpi_on_rma, trace_dumpi_on_win_create, trace_dumpi_on_window;
trace_dumpi_handler trace_dumpi_on_unlock, trace_dumpi_on_file_open, trace_dumpi_on_file;
trace_dumpi_handler trace_dumpi_on_file_request, trace_dumpi_on_grequest, trace_dumpi_on_unsupported;

#endif
