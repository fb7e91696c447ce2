/* The hash of a trace's content, by which reports and stores know it again: XXH3 with 128 bits over the bytes
 * of the files that the trace is made of, one behind the other,
 *
 *      OTF2        the anchor file without the identifier that libotf2 draws by chance (otf2-archive/anchor.h);
 *                  NAME.def; the files .def and .evt in the directory NAME, by the bytes of their names
 *      DUMPI       the metafile, if there is one; the ranks' files, by rank (as they are, compressed or not)
 *      GOAL        the file
 *      generate:   no file, but the text that names the program
 *
 * So `cat FILES | xxh128sum` says the same, of OTF2 with those eight bytes cut out. Where the files lie, when
 * they were written and by which options they are read does not matter. */
#ifndef TRACE_HASH_H
#define TRACE_HASH_H

#include "traces/program.h"

/* 32 hexadecimal digits, owned by the program. The first call reads every file once from beginning to end, in
 * blocks, so that memory does not grow with them; later calls answer the same, whatever has become of the
 * files. NULL: a file has gone or cannot be read, or memory is out (BASE_SYSTEM). */
const char *trace_program_hash(struct trace_program *program, struct base_error *error);

#endif
