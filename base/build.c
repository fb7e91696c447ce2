/* The hash comes from a header that base/hash-sources writes. This file alone includes it, so a change of any
 * source costs one compilation more. */
#include <config.h>

#include "base/build.h"

#include "base/build-sources.h"

/* PACKAGE_VERSION is autoconf's, from configure.ac. */
const char *base_version(void)
{
    return PACKAGE_VERSION;
}

/* The strings are joined by the compiler: asking costs nothing, and there is no order of initialisation to mind. */
const char *base_build(void)
{
    return PACKAGE_VERSION "+" BASE_BUILD_SOURCES;
}
