/* What libotf2 says of errors. It has one callback for the whole process, and would print without: this is that one,
 * and hands each error to the thread in which it happened. */
#ifndef TRACE_OTF2_ERRORS_H
#define TRACE_OTF2_ERRORS_H

#include <otf2/otf2.h>

/* From here on, the first error of libotf2 in this thread is kept in *code, unless there is one already; NULL: nobody
 * wants to know. Registers the callback when it is called first; a program that wants its own registers it later. */
void trace_otf2_listen(OTF2_ErrorCode *code);

#endif
