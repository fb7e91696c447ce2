/* Settings of the sanitizers for programs that give damaged files to libotf2; without sanitizers nobody calls them.
 *
 * Freed memory is held back 8 MiB long, not 256: libotf2's buffers would fill the rest, at the price of fresh
 * pages for every archive.
 *
 * It asks for as much memory as a damaged anchor file tells it to: the system's malloc refuses, or gives
 * memory that is never touched, but AddressSanitizer's ends the program. And when it cannot open or read a
 * file, it loses the memory of the archive and of mapping tables; the callers of these functions are all
 * its own. A damaged definition loses its members, by a function without a name: so all that is below
 * libotf2 is left out. What we allocate in its callbacks is watched by tests/limit-alloc.h and
 * tests/fail-alloc.h instead. */
const char *__asan_default_options(void) __attribute__((visibility("default")));
const char *__lsan_default_suppressions(void) __attribute__((visibility("default")));

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:quarantine_size_mb=8";
}

const char *__lsan_default_suppressions(void)
{
    return "leak:otf2_archive_open\nleak:otf2_file_posix_open\nleak:OTF2_IdMap_Create\nleak:OTF2_UTILS_\n"
           "leak:otf2_evt_writer_new\nleak:otf2_global_def_writer_new\n" /* after a failed write */
           "leak:libopen-trace-format2\n";
}
