dnl The configure macros of flitreplay.

dnl FLR_LIBRARY(PREFIX, MODULE, DEBIAN-PACKAGE)
dnl A library that every build needs, through pkg-config, with a message that says what to install.
AC_DEFUN([FLR_LIBRARY],[
PKG_CHECK_MODULES([$1],[$2],[],
    [AC_MSG_ERROR([$2 was not found by pkg-config. On Debian: apt-get install $3])])
])

dnl FLR_LIBRARY_OTF2
dnl Without a prefix pkg-config goes first: on Debian it names the library itself, otf2-config only a compatibility link.
dnl With a prefix only what is below that prefix counts.
AC_DEFUN([FLR_LIBRARY_OTF2],[
AC_ARG_WITH([otf2],
    [AS_HELP_STRING([--with-otf2=PREFIX],[OTF2 below PREFIX, by PREFIX/bin/otf2-config or its pkg-config file @<:@found by pkg-config or otf2-config in PATH@:>@])],
    [],[with_otf2=yes])
AC_ARG_VAR([OTF2_CFLAGS],[C compiler flags for OTF2, overriding what is found])
AC_ARG_VAR([OTF2_LIBS],[linker flags for OTF2, overriding what is found])
AS_CASE([$with_otf2],
    [no],[AC_MSG_ERROR([flitreplay reads OTF2 traces: it cannot be built --without-otf2])],
    [yes],[flr_otf2_path=$PATH flr_otf2_pkg_path=$PKG_CONFIG_PATH],
    [flr_otf2_path=$with_otf2/bin
     flr_otf2_pkg_path=
     for flr_directory in "$with_otf2"/lib*/pkgconfig "$with_otf2"/lib/*/pkgconfig "$with_otf2"/share/pkgconfig; do
         AS_IF([test -d "$flr_directory"],[flr_otf2_pkg_path=$flr_otf2_pkg_path$flr_directory:])
     done])
AC_MSG_CHECKING([for OTF2])
flr_otf2_found=
AS_IF([test -n "$OTF2_CFLAGS$OTF2_LIBS"],[flr_otf2_found="as given by OTF2_CFLAGS and OTF2_LIBS"])
AS_IF([test -z "$flr_otf2_found"],[FLR_OTF2_BY_PKG_CONFIG])
AS_IF([test -z "$flr_otf2_found"],[FLR_OTF2_BY_OTF2_CONFIG])
AS_IF([test -z "$flr_otf2_found"],[
    AC_MSG_RESULT([no])
    FLR_OTF2_ABSENT])
AC_MSG_RESULT([$flr_otf2_found])
flr_save_CPPFLAGS=$CPPFLAGS flr_save_LIBS=$LIBS
CPPFLAGS="$OTF2_CFLAGS $CPPFLAGS" LIBS="$OTF2_LIBS $LIBS"
dnl The function is new in 3.0, which otf2-config does not say of itself.
AC_MSG_CHECKING([whether a program with OTF2 3.0 links])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <otf2/otf2.h>]],
                                [[return OTF2_EvtReaderCallbacks_SetCommCreateCallback(0, 0) == OTF2_SUCCESS;]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     FLR_OTF2_ABSENT])
CPPFLAGS=$flr_save_CPPFLAGS LIBS=$flr_save_LIBS
])

dnl With a prefix, PKG_CONFIG_LIBDIR is set too, so that an OTF2 of the system is not taken for the one asked for.
AC_DEFUN([FLR_OTF2_BY_PKG_CONFIG],[
flr_pkg_config="env PKG_CONFIG_PATH=$flr_otf2_pkg_path"
AS_IF([test "x$with_otf2" != xyes],[flr_pkg_config="$flr_pkg_config PKG_CONFIG_LIBDIR=$flr_otf2_pkg_path"])
AS_IF([$flr_pkg_config $PKG_CONFIG --exists "otf2 >= 3.0" 2>/dev/null],
    [OTF2_CFLAGS=`$flr_pkg_config $PKG_CONFIG --cflags otf2`
     OTF2_LIBS=`$flr_pkg_config $PKG_CONFIG --libs otf2`
     flr_otf2_found="`$flr_pkg_config $PKG_CONFIG --modversion otf2` by pkg-config"])
])

AC_DEFUN([FLR_OTF2_BY_OTF2_CONFIG],[
flr_save_IFS=$IFS; IFS=:
for flr_directory in $flr_otf2_path; do
    IFS=$flr_save_IFS
    AS_IF([test -z "$flr_otf2_found" && test -x "$flr_directory/otf2-config"],
        [OTF2_CFLAGS=`"$flr_directory/otf2-config" --cflags`
         OTF2_LIBS="`"$flr_directory/otf2-config" --ldflags` `"$flr_directory/otf2-config" --libs`"
         flr_otf2_found="by $flr_directory/otf2-config"])
done
IFS=$flr_save_IFS
])

AC_DEFUN([FLR_OTF2_ABSENT],[
AS_CASE([$with_otf2],
    [yes],[AC_MSG_ERROR([OTF2, the library that reads the traces, was not found by pkg-config or otf2-config.
It must be version 3.0 or later. On Debian: apt-get install libotf2-trace-dev
Elsewhere: configure --with-otf2=PREFIX (where PREFIX/bin/otf2-config is)])],
    [AC_MSG_ERROR([no usable OTF2 3.0 or later below $with_otf2 (looked for bin/otf2-config and lib*/pkgconfig/otf2.pc).
On Debian: apt-get install libotf2-trace-dev, and configure without --with-otf2])])
])

dnl FLR_LIBRARY_MATH
dnl Which library has the functions of math.h, if any is needed. AC_SEARCH_LIBS declares the function itself, in a way
dnl that clang warns about, so that it finds none under CFLAGS=-Werror.
AC_DEFUN([FLR_LIBRARY_MATH],[
AC_MSG_CHECKING([for the library of math.h])
flr_save_LIBS=$LIBS flr_math_found=
for flr_library in '' -lm; do
    AS_IF([test -n "$flr_math_found"],[break])
    LIBS="$flr_library $flr_save_LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <math.h>
#include <stdlib.h>]],
                                    [[return pow(atof("2"), atof("3")) > 8.5;]])],
        [flr_math_found=${flr_library:-none needed}],
        [LIBS=$flr_save_LIBS])
done
AS_IF([test -z "$flr_math_found"],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([the functions of math.h do not link])])
AC_MSG_RESULT([$flr_math_found])
])

dnl FLR_EXACT_DOUBLES
dnl Results are the same on every processor only where doubles are computed as doubles. The 387 of old i386 processors
dnl rounds them once more, from 80 bits; SSE2, which every x86 since 2004 has, does not.
AC_DEFUN([FLR_EXACT_DOUBLES],[
AC_MSG_CHECKING([for flags with which doubles are computed as doubles])
flr_save_CFLAGS=$CFLAGS flr_doubles=no
for flr_flags in '' '-msse2 -mfpmath=sse'; do
    AS_IF([test "x$flr_doubles" != xno],[break])
    CFLAGS="$flr_save_CFLAGS $flr_flags"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <float.h>
#if FLT_EVAL_METHOD != 0
#error more bits
#endif]],[])],
        [flr_doubles=${flr_flags:-none needed}
         FLR_CFLAGS=$flr_flags])
done
CFLAGS=$flr_save_CFLAGS
AC_MSG_RESULT([$flr_doubles])
AS_IF([test "x$flr_doubles" = xno],
    [AC_MSG_WARN([this compiler computes doubles in more bits: estimates may differ in their last digits from other machines'])])
])

dnl FLR_PYTHON
dnl The package for Python is installed where a Python is there; it needs nothing at build time. --with-python makes its
dnl absence an error, --without-python does not look.
AC_DEFUN([FLR_PYTHON],[
AC_ARG_WITH([python],
    [AS_HELP_STRING([--with-python],[install the package for Python, 3.8 or later @<:@when it is there@:>@])],
    [],[with_python=check])
flr_python=no
AS_IF([test "x$with_python" != xno],
    [AM_PATH_PYTHON([3.8],[flr_python=$PYTHON],[flr_python=no])])
AS_IF([test "x$with_python" = xyes && test "x$flr_python" = xno],
    [AC_MSG_ERROR([no Python of version 3.8 or later was found. On Debian: apt-get install python3])])
AM_CONDITIONAL([PYTHON_PACKAGE],[test "x$flr_python" != xno])
])

dnl FLR_MANUAL
dnl "make manual" turns doc/ into one HTML and one PDF file where the tools are there. --with-manual makes it part of "make" and
dnl "make install" and the absence of a tool an error, --without-manual does not look. The program draws its figures, so that
dnl a program for another machine has none.
AC_DEFUN([FLR_MANUAL],[
AC_ARG_WITH([manual],
    [AS_HELP_STRING([--with-manual],[build and install the manual, which needs pandoc, weasyprint and mandoc @<:@only by "make manual", when they are there@:>@])],
    [],[with_manual=check])
flr_manual=no flr_missing=
AS_IF([test "x$with_manual" != xno],[
    AC_CHECK_PROGS([PANDOC],[pandoc])
    AC_CHECK_PROGS([WEASYPRINT],[weasyprint])
    AC_CHECK_PROGS([MANDOC],[mandoc])
    AS_IF([test -z "$PANDOC"],[flr_missing="$flr_missing pandoc"])
    AS_IF([test -z "$WEASYPRINT"],[flr_missing="$flr_missing weasyprint"])
    AS_IF([test -z "$MANDOC"],[flr_missing="$flr_missing mandoc"])
    AS_IF([test "x$cross_compiling" = xyes],[flr_missing="$flr_missing a-program-that-runs-here"])
    AS_IF([test -z "$flr_missing"],[flr_manual=$with_manual],
        [AS_IF([test "x$with_manual" = xyes],
            [AC_MSG_ERROR([--with-manual: not found:$flr_missing. On Debian: apt-get install$flr_missing])])])])
AS_CASE([$flr_manual],
    [yes],[flr_manual_say="built and installed"],
    [check],[flr_manual_say="by make manual"],
    [flr_manual_say="no${flr_missing:+: not found:}$flr_missing"])
AM_CONDITIONAL([MANUAL_TOOLS],[test "x$flr_manual" != xno])
AM_CONDITIONAL([MANUAL_INSTALLED],[test "x$flr_manual" = xyes])
])

dnl FLR_SYMBOL_VERSIONS
dnl Whether the linker gives symbols of shared libraries the versions of a script; else all that begins alike is exported.
AC_DEFUN([FLR_SYMBOL_VERSIONS],[
AC_MSG_CHECKING([for versions of symbols])
flr_save_LDFLAGS=$LDFLAGS
echo 'FLR_TEST { global: main; local: *; };' >conftest.map
LDFLAGS="$LDFLAGS -Wl,--version-script=conftest.map"
AC_LINK_IFELSE([AC_LANG_PROGRAM],[flr_symbol_versions=yes],[flr_symbol_versions=no])
LDFLAGS=$flr_save_LDFLAGS
rm -f conftest.map
AC_MSG_RESULT([$flr_symbol_versions])
AM_CONDITIONAL([SYMBOL_VERSIONS],[test "x$flr_symbol_versions" = xyes])
])

dnl FLR_LIBRARY_CMOCKA
dnl Tests are built when cmocka is there; --with-tests makes its absence an error, --without-tests does not look.
AC_DEFUN([FLR_LIBRARY_CMOCKA],[
AC_ARG_WITH([tests],
    [AS_HELP_STRING([--with-tests],[build the test programs of "make check", which needs cmocka @<:@when it is there@:>@])],
    [],[with_tests=auto])
flr_tests=no
flr_tests_say="no: make check will not run the suites (--without-tests)"
AS_IF([test "x$with_tests" != xno],
    [PKG_CHECK_MODULES([CMOCKA],[cmocka >= 1.1],
        [flr_tests=yes flr_tests_say="yes, with $CMOCKA_LIBS"],
        [AS_IF([test "x$with_tests" = xyes],
            [AC_MSG_ERROR([cmocka, which the tests need, was not found. On Debian: apt-get install libcmocka-dev])])
         flr_tests_say="no: make check will not run the suites (install libcmocka-dev for them)"])])
AM_CONDITIONAL([WITH_TESTS],[test "x$flr_tests" = xyes])
])

dnl FLR_LIBRARY_UNDUMPI
dnl SST's own DUMPI library, which Debian does not have: only a test uses it, to compare our reader with it.
AC_DEFUN([FLR_LIBRARY_UNDUMPI],[
AC_ARG_WITH([libdumpi],
    [AS_HELP_STRING([--with-libdumpi@<:@=PREFIX@:>@],[let a test compare our DUMPI reader with libundumpi @<:@when it is there@:>@])],
    [],[with_libdumpi=auto])
UNDUMPI_CFLAGS= UNDUMPI_LIBS=
flr_undumpi=no flr_undumpi_say="no"
AS_CASE([$with_libdumpi],[no|yes|auto],[],
    [UNDUMPI_CFLAGS="-I$with_libdumpi/include"
     UNDUMPI_LIBS="-L$with_libdumpi/lib -Wl,-rpath,$with_libdumpi/lib"])
AS_IF([test "x$with_libdumpi" != xno],[
    flr_save_CPPFLAGS=$CPPFLAGS flr_save_LIBS=$LIBS
    CPPFLAGS="$UNDUMPI_CFLAGS $CPPFLAGS" LIBS="$UNDUMPI_LIBS -lundumpi $LIBS"
    AC_MSG_CHECKING([for libundumpi])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <dumpi/libundumpi/libundumpi.h>]],
                                    [[return undumpi_open("x") != 0;]])],
        [flr_undumpi=yes flr_undumpi_say="yes, as an oracle of the tests"
         UNDUMPI_LIBS="$UNDUMPI_LIBS -lundumpi"])
    AC_MSG_RESULT([$flr_undumpi])
    CPPFLAGS=$flr_save_CPPFLAGS LIBS=$flr_save_LIBS
    AS_IF([test "x$flr_undumpi" = xno && test "x$with_libdumpi" != xauto],
        [AC_MSG_ERROR([--with-libdumpi: dumpi/libundumpi/libundumpi.h and -lundumpi were not found])])
])
AC_SUBST([UNDUMPI_CFLAGS])
AC_SUBST([UNDUMPI_LIBS])
AM_CONDITIONAL([WITH_UNDUMPI],[test "x$flr_undumpi" = xyes])
])

dnl FLR_LIBRARY_SCOTCH
dnl The graph mapper of F. Pellegrini, 7.0 or later (it has contexts): a mapping of its own, and a seed of the portfolio.
dnl Debian's package has no pkg-config file of the serial library.
AC_DEFUN([FLR_LIBRARY_SCOTCH],[
AC_ARG_WITH([scotch],
    [AS_HELP_STRING([--with-scotch@<:@=PREFIX@:>@],[the mapping scotch, by libscotch 7.0 or later @<:@when it is there@:>@])],
    [],[with_scotch=auto])
AC_ARG_VAR([SCOTCH_CFLAGS],[C compiler flags for SCOTCH, overriding what is found])
AC_ARG_VAR([SCOTCH_LIBS],[linker flags for SCOTCH, overriding what is found])
flr_scotch=no
AS_IF([test "x$with_scotch" != xno],[
    AS_CASE([$with_scotch],
        [yes|auto],[flr_scotch_flags="-isystem /usr/include/scotch" flr_scotch_libs="-lscotch -lscotcherr"],
        [flr_scotch_flags="-isystem $with_scotch/include"
         flr_scotch_libs="-lscotch -lscotcherr"
         for flr_directory in "$with_scotch/lib" "$with_scotch/lib64"; do
             AS_IF([test -d "$flr_directory"],
                 [flr_scotch_libs="-L$flr_directory -Wl,-rpath,$flr_directory $flr_scotch_libs"])
         done])
    AS_IF([test -n "$SCOTCH_CFLAGS$SCOTCH_LIBS"],
        [flr_scotch_flags=$SCOTCH_CFLAGS flr_scotch_libs=${SCOTCH_LIBS:--lscotch -lscotcherr}])
    flr_save_CPPFLAGS=$CPPFLAGS flr_save_LIBS=$LIBS
    CPPFLAGS="$flr_scotch_flags $CPPFLAGS" LIBS="$flr_scotch_libs $LIBS"
    AC_MSG_CHECKING([for SCOTCH 7])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdint.h>
#include <stdio.h>
#include <scotch.h>]],
                                    [[SCOTCH_Context context; return SCOTCH_contextInit(&context);]])],
        [flr_scotch=yes SCOTCH_CFLAGS=$flr_scotch_flags SCOTCH_LIBS=$flr_scotch_libs
         AC_DEFINE([HAVE_SCOTCH],[1],[Define to 1 to build the mapping scotch.])])
    AC_MSG_RESULT([$flr_scotch])
    CPPFLAGS=$flr_save_CPPFLAGS LIBS=$flr_save_LIBS
    AS_IF([test "x$flr_scotch" = xno && test "x$with_scotch" != xauto],
        [AC_MSG_ERROR([--with-scotch: scotch.h and -lscotch of version 7 were not found. On Debian: apt-get install libscotch-dev])])
])
AS_IF([test "x$flr_scotch" = xno],[SCOTCH_CFLAGS= SCOTCH_LIBS=])
])

dnl FLR_LIBRARY_MPI
dnl Any MPI 3.0 with a compiler wrapper: `mpicc -show` is understood by Open MPI and by MPICH and its derivatives, where
dnl pkg-config knows each by another name. Only the flags are taken; the compiler stays the user's.
AC_DEFUN([FLR_LIBRARY_MPI],[
AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--with-mpi@<:@=PREFIX@:>@],[comparisons on several machines (mpirun flitreplay compare), by PREFIX/bin/mpicc or that in PATH @<:@when it is there@:>@])],
    [],[with_mpi=auto])
AC_ARG_VAR([MPICC],[the compiler wrapper of MPI whose flags are taken])
AC_ARG_VAR([MPI_CFLAGS],[C compiler flags for MPI, overriding what the wrapper says])
AC_ARG_VAR([MPI_LIBS],[linker flags for MPI, overriding what the wrapper says])
flr_mpi=no
dnl MPI is a module's own, which is a shared object.
AS_CASE([$enable_shared,$with_mpi],
    [no,auto],[with_mpi=no],
    [no,no],[],
    [no,*],[AC_MSG_ERROR([--with-mpi: MPI is in a module that is loaded at run time, and needs --enable-shared])])
AS_IF([test "x$with_mpi" != xno],[
    AS_CASE([$with_mpi],
        [yes|auto],[AS_IF([test -z "$MPICC"],[FLR_MPI_FIND_WRAPPER])],
        [MPICC=$with_mpi/bin/mpicc])
    AS_IF([test -z "$MPI_CFLAGS$MPI_LIBS"],
        [AS_IF([test -n "$MPICC"],[FLR_MPI_TAKE_WORDS([`"$MPICC" -show 2>/dev/null`])],[FLR_MPI_ASK_PKG_CONFIG])])
    flr_save_CPPFLAGS=$CPPFLAGS flr_save_LIBS=$LIBS
    CPPFLAGS="$MPI_CFLAGS $CPPFLAGS" LIBS="$MPI_LIBS $LIBS"
    AC_MSG_CHECKING([for MPI 3])
    AS_IF([test -n "$MPI_LIBS"],
        [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
                                         [[MPI_Request request; return MPI_Ibarrier(MPI_COMM_WORLD, &request);]])],
            [flr_mpi=yes])])
    AC_MSG_RESULT([$flr_mpi])
    CPPFLAGS=$flr_save_CPPFLAGS LIBS=$flr_save_LIBS
    AS_IF([test "x$flr_mpi" = xno && test "x$with_mpi" != xauto],
        [AC_MSG_ERROR([--with-mpi: no program with MPI 3.0 links (mpicc: ${MPICC:-not found}). On Debian: apt-get install libopenmpi-dev, or libmpich-dev])])
])
AS_IF([test "x$flr_mpi" = xno],[MPI_CFLAGS= MPI_LIBS=])
AS_IF([test "x$flr_mpi" = xyes],[AC_SEARCH_LIBS([dlopen],[dl])])
AC_SUBST([MPI_CFLAGS])
AC_SUBST([MPI_LIBS])
AM_CONDITIONAL([WITH_MPI],[test "x$flr_mpi" = xyes])
])

dnl The wrapper named after the host, or the plain one; when cross-building never the plain one, which is the build machine's.
AC_DEFUN([FLR_MPI_FIND_WRAPPER],[
AC_PATH_TOOL([MPICC],[mpicc])
AS_IF([test "x$cross_compiling" = xyes],
    [AS_CASE(["/$MPICC"],[*"/$host_alias-mpicc"],[],[MPICC=])])
])

dnl Without a wrapper: the modules of Open MPI and MPICH, as the host's pkg-config has them.
AC_DEFUN([FLR_MPI_ASK_PKG_CONFIG],[
for flr_module in ompi-c mpich mpi-c; do
    AS_IF([test -z "$MPI_LIBS" && $PKG_CONFIG --exists "$flr_module" 2>/dev/null],
        [FLR_MPI_TAKE_WORDS([`$PKG_CONFIG --cflags --libs "$flr_module"`])])
done
])

dnl FLR_MPI_TAKE_WORDS(WORDS)
dnl The words of the wrapper's command line that are for the preprocessor, and those for the linker. What a distribution
dnl compiles its MPI with (-g, -O2, hardening) is no business of ours. Headers go to -isystem: warnings in them are not ours.
AC_DEFUN([FLR_MPI_TAKE_WORDS],[
flr_next=
for flr_word in $1; do
    AS_IF([test -n "$flr_next"],[MPI_CFLAGS="$MPI_CFLAGS $flr_next $flr_word"; flr_next=; continue])
    AS_CASE([$flr_word],
        [-isystem],[flr_next=-isystem],
        [-I*],[MPI_CFLAGS="$MPI_CFLAGS -isystem `AS_ECHO(["$flr_word"]) | sed 's/^-I//'`"],
        [-D*],[MPI_CFLAGS="$MPI_CFLAGS $flr_word"],
        [-Wl,-z,*|-Wl,-Bsymbolic*],[],
        [-L*|-l*|-Wl,*|-pthread],[MPI_LIBS="$MPI_LIBS $flr_word"])
done
])

dnl FLR_LIBRARY_OPTIONAL(NAME, PREFIX, MODULE, DEBIAN-PACKAGE, WHAT)
dnl A library that the program does without: --with-NAME makes its absence an error, --without-NAME does not look. Sets
dnl flr_NAME to yes or no, and the conditional WITH_PREFIX.
AC_DEFUN([FLR_LIBRARY_OPTIONAL],[
AC_ARG_WITH([$1],
    [AS_HELP_STRING([--with-$1],[$5, by $3 @<:@when it is there@:>@])],
    [],[with_$1=auto])
flr_$1=no
AS_IF([test "x$with_$1" != xno],
    [PKG_CHECK_MODULES([$2],[$3],[flr_$1=yes],
        [AS_IF([test "x$with_$1" != xauto],
            [AC_MSG_ERROR([--with-$1: $3 was not found by pkg-config. On Debian: apt-get install $4])])])])
AC_SUBST([$2_CFLAGS])
AC_SUBST([$2_LIBS])
AM_CONDITIONAL([WITH_$2],[test "x$flr_$1" = xyes])
])

dnl FLR_ENABLE(FEATURE, WHAT, FLAGS)
dnl --enable-FEATURE adds FLAGS to every compilation and link of ours, never to configure's own tests, after having
dnl checked that the compiler can link with them.
AC_DEFUN([FLR_ENABLE],[
AC_ARG_ENABLE([$1],[AS_HELP_STRING([--enable-$1],[build with $2])],[],[enable_$1=no])
AS_IF([test "x$enable_$1" != xno],
    [AC_MSG_CHECKING([whether $CC links with $3])
     flr_save_CFLAGS=$CFLAGS
     CFLAGS="$CFLAGS $3"
     AC_LINK_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
         [AC_MSG_RESULT([yes])],
         [AC_MSG_RESULT([no])
          AC_MSG_ERROR([--enable-$1: $CC cannot link with $3 (its runtime library is missing: on Debian libclang-rt-14-dev for clang)])])
     CFLAGS=$flr_save_CFLAGS
     FLR_CFLAGS="$FLR_CFLAGS${FLR_CFLAGS:+ }$3"
     flr_enable_$1=yes],
    [flr_enable_$1=no])
])

dnl FLR_BUILT_WITH
dnl The lines of `flitreplay --version` on libraries: what is built in with its release, as it was when this was configured,
dnl and what is left out.
AC_DEFUN([FLR_BUILT_WITH],[
flr_with= flr_without=
FLR_BUILT([yes],[OTF2],[FLR_MODULE_VERSION([otf2])])
FLR_BUILT([yes],[jansson],[FLR_MODULE_VERSION([jansson])])
FLR_BUILT([yes],[xxHash],[FLR_MODULE_VERSION([libxxhash])])
FLR_BUILT([yes],[zlib],[FLR_MODULE_VERSION([zlib])])
FLR_BUILT([$flr_scotch],[SCOTCH],[FLR_HEADER_VERSION([SCOTCH],[#include <stdint.h>
#include <stdio.h>
#include <scotch.h>],[SCOTCH_VERSION],[SCOTCH_RELEASE])])
FLR_BUILT([$flr_sqlite],[SQLite],[FLR_MODULE_VERSION([sqlite3])])
FLR_BUILT([$flr_yaml],[libyaml],[FLR_MODULE_VERSION([yaml-0.1])])
FLR_BUILT([$flr_mpi],[MPI],[FLR_HEADER_VERSION([MPI],[#include <mpi.h>],[MPI_VERSION],[MPI_SUBVERSION])])
AC_DEFINE_UNQUOTED([BUILT_WITH],["$flr_with"],[What is built in, with releases.])
AC_DEFINE_UNQUOTED([BUILT_WITHOUT],["${flr_without:+without $flr_without\n}"],[The line on what could have been built in, or nothing.])
])

dnl FLR_BUILT(yes or no, NAME, STATEMENTS that set flr_version)
AC_DEFUN([FLR_BUILT],[
AS_IF([test "x$1" = xyes],
    [flr_version=
     $3
     flr_with="$flr_with${flr_with:+, }$2${flr_version:+ }$flr_version"],
    [flr_without="$flr_without${flr_without:+, }$2"])
])
AC_DEFUN([FLR_MODULE_VERSION],[flr_version=`$PKG_CONFIG --modversion "$1" 2>/dev/null`])

dnl FLR_HEADER_VERSION(PREFIX of the flags, INCLUDES, FIRST, SECOND): the numbers of two macros, without running anything.
AC_DEFUN([FLR_HEADER_VERSION],[
    flr_save_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$[]$1[]_CFLAGS $CPPFLAGS"
    AC_COMPUTE_INT([flr_first],[$3],[$2],[flr_first=])
    AC_COMPUTE_INT([flr_second],[$4],[$2],[flr_second=])
    CPPFLAGS=$flr_save_CPPFLAGS
    flr_version="$flr_first.$flr_second"
])

dnl FLR_HARDENING
dnl The flags with which distributions build, as far as compiler and linker have them: stacks that overflow, buffers whose size
dnl is known and jumps to where none should go end the program, and tables of the linker cannot be written. Not where something
dnl stands in their way: the sanitizers have their own checks, and without the optimiser _FORTIFY_SOURCE does nothing but warn.
AC_DEFUN([FLR_HARDENING],[
AC_ARG_ENABLE([hardening],
    [AS_HELP_STRING([--disable-hardening],[build without stack protector, _FORTIFY_SOURCE, PIE and the like])],
    [],[enable_hardening=yes])
HARDENING_CFLAGS= HARDENING_LDFLAGS= PIE_LDFLAGS= flr_hardening_say="no (--disable-hardening)"
AS_IF([test "x$flr_enable_asan$flr_enable_ubsan$flr_enable_fuzzing$flr_enable_coverage" != xnononono],
    [enable_hardening=no flr_hardening_say="no (sanitizers, fuzzing or coverage)"])
AS_IF([test "x$enable_hardening" != xno],[
    for flr_flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection; do
        FLR_IF_LINKS([$flr_flag],[HARDENING_CFLAGS="$HARDENING_CFLAGS $flr_flag"])
    done
    AS_CASE([" $CFLAGS $CPPFLAGS "],
        [*FORTIFY_SOURCE*|*' -O0 '*],[],
        [*' -O'*],[FLR_IF_LINKS([-D_FORTIFY_SOURCE=2],[HARDENING_CFLAGS="$HARDENING_CFLAGS -D_FORTIFY_SOURCE=2"])])
    for flr_flag in -Wl,-z,relro -Wl,-z,now; do
        FLR_IF_LINKS([$flr_flag],[HARDENING_LDFLAGS="$HARDENING_LDFLAGS $flr_flag"])
    done
    FLR_PIE
    flr_hardening_say=`AS_ECHO(["$HARDENING_CFLAGS$HARDENING_LDFLAGS$PIE_LDFLAGS"]) | sed 's/^ *//'`])
AC_SUBST([HARDENING_CFLAGS])
AC_SUBST([HARDENING_LDFLAGS])
AC_SUBST([PIE_LDFLAGS])
])

dnl The program at an address of the loader's choice, where the compiler does not make it so by itself and nobody asks for a
dnl static one. libtool's flags come behind these and win, so that libraries stay what they are.
AC_DEFUN([FLR_PIE],[
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[#if !defined __PIE__ && !defined __pie__
#error no
#endif]])],[],
    [AS_CASE([" $LDFLAGS $CFLAGS "],
        [*' -static'*|*' -no-pie '*|*' -fno-pie '*],[],
        [FLR_IF_LINKS([-fPIE -pie],[HARDENING_CFLAGS="$HARDENING_CFLAGS -fPIE" PIE_LDFLAGS=" -pie"])])])
])

dnl FLR_SHAPE_KERNELS
dnl The kernels of netmodel/packet-engine/shapes.def take nearly a third of what the compiler takes in all, and about half with sanitizers.
AC_DEFUN([FLR_SHAPE_KERNELS],[
AC_ARG_ENABLE([shape-kernels],
    [AS_HELP_STRING([--disable-shape-kernels],[build without the loops that are made for the commonest routers: the compiler takes nearly a third less time, replays take somewhat longer, results are the same])],
    [],[enable_shape_kernels=yes])
AS_IF([test "x$enable_shape_kernels" != xno],[enable_shape_kernels=yes flr_shape_kernels=1],[flr_shape_kernels=0])
AC_DEFINE_UNQUOTED([SHAPE_KERNELS],[$flr_shape_kernels],[Whether the packet engine has kernels for the shapes of shapes.def, or the generic ones alone.])
])

dnl FLR_IF_LINKS(FLAG, THEN): without a word of the compiler, which only warns of flags that it does not know.
AC_DEFUN([FLR_IF_LINKS],[
AC_MSG_CHECKING([whether $CC takes $1])
flr_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_LINK_IFELSE([AC_LANG_SOURCE([[int main(void) { return 0; }]])],
    [AC_MSG_RESULT([yes])
     CFLAGS=$flr_save_CFLAGS
     $2],
    [AC_MSG_RESULT([no])
     CFLAGS=$flr_save_CFLAGS])
])

dnl FLR_PROGRAM_GCOV
dnl The gcov that reads what this compiler writes: clang's data need llvm-cov.
AC_DEFUN([FLR_PROGRAM_GCOV],[
AC_ARG_VAR([GCOV],[the gcov command for "make coverage"])
AS_IF([test -z "$GCOV"],
    [AS_IF([$CC --version 2>/dev/null | grep -q clang],
        [flr_clang_major=`$CC -dumpversion | sed 's/\..*//'`
         AC_CHECK_PROGS([LLVM_COV],[llvm-cov-$flr_clang_major llvm-cov])
         AS_IF([test -n "$LLVM_COV"],[GCOV="$LLVM_COV gcov"])],
        [flr_gcc_major=`$CC -dumpversion | sed 's/\..*//'`
         AC_CHECK_PROGS([GCOV],[gcov-$flr_gcc_major gcov])])])
AS_IF([test -z "$GCOV"],
    [AC_MSG_WARN([no gcov for $CC: make coverage will only say so (on Debian: gcc's gcov, or llvm for clang)])])
AC_SUBST([GCOV])
])
