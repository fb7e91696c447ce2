/* The public functions of libflitreplay. */
#include <config.h>

#include "replay/flitreplay.h"

const char *flr_version(void)
{
    return PACKAGE_VERSION;
}
