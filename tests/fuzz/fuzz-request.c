/* Fuzz target of all texts and files that a request can be given (tests/fuzz/requests.def). FLITREPLAY_FUZZ names the
 * kind of the inputs. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/request.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *kind = getenv("FLITREPLAY_FUZZ");

    if (fuzz_request_choose(kind == NULL ? "topology" : kind) != 0) {
        fprintf(stderr, "FLITREPLAY_FUZZ=%s: no kind of tests/fuzz/requests.def\n", kind);
        exit(2);
    }
    fuzz_request_ask(data, size);
    return 0;
}
