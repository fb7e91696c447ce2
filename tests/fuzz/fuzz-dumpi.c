/* Fuzz target of the DUMPI reader: a metafile and the ranks' files in the container of tests/fuzz/files.h,
 * read as a program, which goes through every record of libdumpitrace. */
#include <config.h>

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_read(FUZZ_DUMPI, data, size);
    return 0;
}
