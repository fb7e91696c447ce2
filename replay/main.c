/* The program flitreplay. */
#include <stdio.h>

#include "replay/flitreplay.h"

int main(void)
{
    printf("flitreplay %s\n", flr_version());
    return 0;
}
