/* What libotf2 says of errors. It has one callback for the whole process, and would print without: this is that one,
 * and hands each error to the thread in which it happened. */
#ifndef TRACE_OTF2_ERRORS_H
#define TRACE_OTF2_ERRORS_H

#include <otf2/otf2.h>
#include <stdbool.h>

/* From here on, the first error of libotf2 in this thread is kept in *code, unless there is one already; NULL: nobody
 * wants to know. Registers the callback when it is called first; a program that wants its own registers it later. */
void trace_otf2_listen(OTF2_ErrorCode *code);

/* Whether the first error that was heard is that memory is out. What libotf2 returns in the end does not tell: the
 * functions around the one that failed call it a file that cannot be opened, or, in definitions, nothing at all. */
bool trace_otf2_is_memory(OTF2_ErrorCode code);

#endif
