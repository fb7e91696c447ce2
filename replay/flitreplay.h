/* The public interface of libflitreplay: trace-driven replay of MPI programs on a simulated network.
 * Everything here begins with flr_; nothing else of the library is visible. */
#ifndef FLITREPLAY_H
#define FLITREPLAY_H

#ifdef __cplusplus
extern "C" {
#endif

#define FLR_API __attribute__((visibility("default")))

/* The version of the library that runs, such as "0.1.0"; a constant. */
FLR_API const char *flr_version(void);

#ifdef __cplusplus
}
#endif

#endif
