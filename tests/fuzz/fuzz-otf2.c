/* Fuzz target of the OTF2 reader: an archive in the container of tests/fuzz/files.h. Damage that libotf2 does
 * to itself is not ours; tests/traces/sanitizers.c says what is known of it. */
#include <config.h>

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    target_read(FUZZ_OTF2, data, size);
    return 0;
}
