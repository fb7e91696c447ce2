/* Fuzz target of the reader of GOAL schedules. The text is the input itself (tests/fuzz/files.h), so that a
 * dictionary of its words, tests/fuzz/goal.dict, is of use. */
#include <config.h>

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_read(FUZZ_GOAL, data, size);
    return 0;
}
