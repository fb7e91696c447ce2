/* The flit-grant engine once more, for routers of more than 64 drivers or outputs: the same sources, with sets of
 * several words (sets.h). Each size that users meet most often keeps its fast engine; wide routers have all options,
 * too. */
#define NET_FLIT_WORDS 16
#define NET_FLIT_NAME "wide"
#define NET_FLIT_SUMMARY "the same for routers of more than 64 inputs or outputs, up to 1024"
#define NET_FLIT_IS_LAST true

#define net_flit_engine net_wide_engine
#define net_flit_engine_advance net_wide_engine_advance
#define net_flit_engine_join net_wide_engine_join
#define net_flit_engine_view net_wide_engine_view
#define net_flit_engine_check net_wide_engine_check
#define net_engine_flits net_engine_wide

#include "netmodel/flit-engine/cycle.c"  /* NOLINT(bugprone-suspicious-include): the same source on purpose */
#include "netmodel/flit-engine/engine.c" /* NOLINT(bugprone-suspicious-include) */
#include "netmodel/flit-engine/report.c" /* NOLINT(bugprone-suspicious-include) */
