/* Threads read and write archives at the same time: what each listens to is its own, and the callback of the process
 * is registered once. */
#include <config.h>

#include "traces/otf2-archive/errors.h"

#include <pthread.h>
#include <stdarg.h>

static _Thread_local OTF2_ErrorCode *listened;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The first error is what went wrong; those behind it follow from it. libotf2's own words are not printed. */
static OTF2_ErrorCode note(void *user, const char *file, uint64_t line, const char *function,
                           OTF2_ErrorCode code, const char *format, va_list arguments)
{
    (void)user, (void)file, (void)line, (void)function, (void)format, (void)arguments;
    if (listened != NULL && *listened == OTF2_SUCCESS)
        *listened = code;
    return code;
}

static void register_once(void)
{
    OTF2_Error_RegisterCallback(note, NULL);
}

void trace_otf2_listen(OTF2_ErrorCode *code)
{
    pthread_once(&once, register_once);
    listened = code;
}

/* libotf2 has a code of its own, one of its buffers, and that of POSIX. */
bool trace_otf2_is_memory(OTF2_ErrorCode code)
{
    return code == OTF2_ERROR_MEM_ALLOC_FAILED || code == OTF2_ERROR_MEM_FAULT || code == OTF2_ERROR_ENOMEM;
}
