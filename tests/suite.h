/* What every cmocka program includes: cmocka, and the headers it wants before itself. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Leaves a test out and says why; tests/count-results repeats it. */
#define suite_skip(why) (print_message("skipped: %s\n", why), skip())

#endif
