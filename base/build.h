/* Which program this is. A result follows from its inputs, its options and the program: what is stored is
 * found again, and reports can be made again, only by the same one.
 *
 *      base_version()   "0.1.0"                     the release, as users and packages name it
 *      base_build()     "0.1.0+a3f09d27c1b4e856"    the release and a hash of the sources that results follow from
 *
 * The hash is of what base/hash-sources lists, taken when the program is built: all sources of the rooms that
 * simulate. It changes with each of them and with nothing else: not with documents or tests, the compiler,
 * its options, the machine, the directory or the time, and it is the same in a checkout and in a
 * distribution. */
#ifndef BASE_BUILD_H
#define BASE_BUILD_H

/* The release; a constant. */
const char *base_version(void);
/* The identity of the build; a constant. */
const char *base_build(void);

#endif
