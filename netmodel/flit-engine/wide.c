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
#define net_flit_engine_admit net_wide_engine_admit
#define net_flit_engine_wake net_wide_engine_wake
#define net_flit_faults net_wide_faults
#define net_flit_faults_init net_wide_faults_init
#define net_flit_faults_free net_wide_faults_free
#define net_flit_faults_packet net_wide_faults_packet
#define net_flit_faults_next net_wide_faults_next
#define net_flit_faults_settle net_wide_faults_settle
#define net_flit_faults_choose net_wide_faults_choose
#define net_flit_faults_grant net_wide_faults_grant
#define net_flit_faults_cross net_wide_faults_cross
#define net_flit_faults_reinject net_wide_faults_reinject
#define net_flit_faults_count net_wide_faults_count
#define net_flit_faults_outputs net_wide_faults_outputs
#define net_flit_faults_need net_wide_faults_need
#define net_flit_faults_check net_wide_faults_check
#define net_flit_faults_stopped net_wide_faults_stopped

#include "netmodel/flit-engine/cycle.c"  /* NOLINT(bugprone-suspicious-include): the same source on purpose */
#include "netmodel/flit-engine/engine.c" /* NOLINT(bugprone-suspicious-include) */
#include "netmodel/flit-engine/faults.c" /* NOLINT(bugprone-suspicious-include) */
#include "netmodel/flit-engine/report.c" /* NOLINT(bugprone-suspicious-include) */
