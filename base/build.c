/* The hash comes from a header that base/hash-sources writes. This file alone includes it, so a change of any
 * source costs one compilation more. */
#include <config.h>

#include "base/build.h"

#include "base/build-sources.h"

const char *base_version(void)
{
    return PACKAGE_VERSION;
}

const char *base_build(void)
{
    return PACKAGE_VERSION "+" BASE_BUILD_SOURCES;
}
