/* Reads and writes DUMPI traces: what each rank of an MPI program called, with arguments and times.
 *
 * A trace is one binary file per rank and a small text "metafile" that names them. This library gives the
 * records one by one, as libpcap gives packets; memory does not grow with the length of a file, files may be
 * compressed by gzip, and no file, whatever is in it, makes the library crash or allocate more than its size.
 *
 *     struct dpt_error error;
 *     struct dpt_trace *trace = dpt_open("run/dumpi-2026.11.20.10.08.13.meta", &error);
 *     struct dpt_stream *stream = trace == NULL ? NULL : dpt_open_rank(trace, 3, &error);
 *     const struct dpt_record *record;
 *     int more;
 *
 *     while (stream != NULL && (more = dpt_next(stream, &record)) == 1)
 *         if (record->function == DPT_MPI_Send)
 *             use(dpt_number(record, DPT_DEST, -1), dpt_number(record, DPT_COUNT, 0));
 *     if (stream == NULL || more < 0)
 *         fprintf(stderr, "%s\n", stream == NULL ? error.text : dpt_geterr(stream));
 *     dpt_close_rank(stream);
 *     dpt_close(trace);
 *
 * Nothing is global: every object may be used by one thread at a time, different objects by different
 * threads. Handles (communicators, datatypes, requests ...) are numbers of one rank, given in the order of
 * first use and given again after they were freed: the same number means different things on different ranks
 * and at different times. Only predefined ones mean the same everywhere (enum dpt_predefined). */
#ifndef DUMPITRACE_H
#define DUMPITRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DPT_API __attribute__((visibility("default")))

/* ---- Errors ---- */

enum dpt_status {
    DPT_ERROR_NONE = 0,
    DPT_ERROR_ARGUMENT,  /* the caller asked for what cannot be */
    DPT_ERROR_FORMAT,    /* the file is not what the format says */
    DPT_ERROR_TRUNCATED, /* the file ends early; all whole records before were given */
    DPT_ERROR_MEMORY,
    DPT_ERROR_SYSTEM /* the operating system said no; system_error is its errno */
};

/* One sentence, with its position in front: "run-0003.bin: byte 1312, record 17: MPI_Send ends early". */
struct dpt_error {
    enum dpt_status status;
    int system_error; /* an errno where the system failed, else 0 */
    int64_t offset;   /* in bytes from the start of the (uncompressed) file, -1 for the whole file */
    int64_t record;   /* 0 is the first record, -1 outside of the records */
    char text[1024];
};

/* ---- Functions and their arguments ---- */

/* The functions that a trace can hold, by the numbers that stand in the file. 290 does not exist, and
 * MPI_Pcontrol has a number but is never written. */
/* clang-format off */
#define DPT_FUNCTIONS(X) \
    X(0, MPI_Send) X(1, MPI_Recv) X(2, MPI_Get_count) X(3, MPI_Bsend) X(4, MPI_Ssend) X(5, MPI_Rsend) \
    X(6, MPI_Buffer_attach) X(7, MPI_Buffer_detach) X(8, MPI_Isend) X(9, MPI_Ibsend) X(10, MPI_Issend) \
    X(11, MPI_Irsend) X(12, MPI_Irecv) X(13, MPI_Wait) X(14, MPI_Test) X(15, MPI_Request_free) \
    X(16, MPI_Waitany) X(17, MPI_Testany) X(18, MPI_Waitall) X(19, MPI_Testall) X(20, MPI_Waitsome) \
    X(21, MPI_Testsome) X(22, MPI_Iprobe) X(23, MPI_Probe) X(24, MPI_Cancel) X(25, MPI_Test_cancelled) \
    X(26, MPI_Send_init) X(27, MPI_Bsend_init) X(28, MPI_Ssend_init) X(29, MPI_Rsend_init) \
    X(30, MPI_Recv_init) X(31, MPI_Start) X(32, MPI_Startall) X(33, MPI_Sendrecv) \
    X(34, MPI_Sendrecv_replace) X(35, MPI_Type_contiguous) X(36, MPI_Type_vector) \
    X(37, MPI_Type_hvector) X(38, MPI_Type_indexed) X(39, MPI_Type_hindexed) X(40, MPI_Type_struct) \
    X(41, MPI_Address) X(42, MPI_Type_extent) X(43, MPI_Type_size) X(44, MPI_Type_lb) X(45, MPI_Type_ub) \
    X(46, MPI_Type_commit) X(47, MPI_Type_free) X(48, MPI_Get_elements) X(49, MPI_Pack) \
    X(50, MPI_Unpack) X(51, MPI_Pack_size) X(52, MPI_Barrier) X(53, MPI_Bcast) X(54, MPI_Gather) \
    X(55, MPI_Gatherv) X(56, MPI_Scatter) X(57, MPI_Scatterv) X(58, MPI_Allgather) X(59, MPI_Allgatherv) \
    X(60, MPI_Alltoall) X(61, MPI_Alltoallv) X(62, MPI_Reduce) X(63, MPI_Op_create) X(64, MPI_Op_free) \
    X(65, MPI_Allreduce) X(66, MPI_Reduce_scatter) X(67, MPI_Scan) X(68, MPI_Group_size) \
    X(69, MPI_Group_rank) X(70, MPI_Group_translate_ranks) X(71, MPI_Group_compare) \
    X(72, MPI_Comm_group) X(73, MPI_Group_union) X(74, MPI_Group_intersection) \
    X(75, MPI_Group_difference) X(76, MPI_Group_incl) X(77, MPI_Group_excl) X(78, MPI_Group_range_incl) \
    X(79, MPI_Group_range_excl) X(80, MPI_Group_free) X(81, MPI_Comm_size) X(82, MPI_Comm_rank) \
    X(83, MPI_Comm_compare) X(84, MPI_Comm_dup) X(85, MPI_Comm_create) X(86, MPI_Comm_split) \
    X(87, MPI_Comm_free) X(88, MPI_Comm_test_inter) X(89, MPI_Comm_remote_size) \
    X(90, MPI_Comm_remote_group) X(91, MPI_Intercomm_create) X(92, MPI_Intercomm_merge) \
    X(93, MPI_Keyval_create) X(94, MPI_Keyval_free) X(95, MPI_Attr_put) X(96, MPI_Attr_get) \
    X(97, MPI_Attr_delete) X(98, MPI_Topo_test) X(99, MPI_Cart_create) X(100, MPI_Dims_create) \
    X(101, MPI_Graph_create) X(102, MPI_Graphdims_get) X(103, MPI_Graph_get) X(104, MPI_Cartdim_get) \
    X(105, MPI_Cart_get) X(106, MPI_Cart_rank) X(107, MPI_Cart_coords) X(108, MPI_Graph_neighbors_count) \
    X(109, MPI_Graph_neighbors) X(110, MPI_Cart_shift) X(111, MPI_Cart_sub) X(112, MPI_Cart_map) \
    X(113, MPI_Graph_map) X(114, MPI_Get_processor_name) X(115, MPI_Get_version) \
    X(116, MPI_Errhandler_create) X(117, MPI_Errhandler_set) X(118, MPI_Errhandler_get) \
    X(119, MPI_Errhandler_free) X(120, MPI_Error_string) X(121, MPI_Error_class) X(122, MPI_Wtime) \
    X(123, MPI_Wtick) X(124, MPI_Init) X(125, MPI_Finalize) X(126, MPI_Initialized) X(127, MPI_Abort) \
    X(128, MPI_Pcontrol) X(129, MPI_Close_port) X(130, MPI_Comm_accept) X(131, MPI_Comm_connect) \
    X(132, MPI_Comm_disconnect) X(133, MPI_Comm_get_parent) X(134, MPI_Comm_join) X(135, MPI_Comm_spawn) \
    X(136, MPI_Comm_spawn_multiple) X(137, MPI_Lookup_name) X(138, MPI_Open_port) \
    X(139, MPI_Publish_name) X(140, MPI_Unpublish_name) X(141, MPI_Accumulate) X(142, MPI_Get) \
    X(143, MPI_Put) X(144, MPI_Win_complete) X(145, MPI_Win_create) X(146, MPI_Win_fence) \
    X(147, MPI_Win_free) X(148, MPI_Win_get_group) X(149, MPI_Win_lock) X(150, MPI_Win_post) \
    X(151, MPI_Win_start) X(152, MPI_Win_test) X(153, MPI_Win_unlock) X(154, MPI_Win_wait) \
    X(155, MPI_Alltoallw) X(156, MPI_Exscan) X(157, MPI_Add_error_class) X(158, MPI_Add_error_code) \
    X(159, MPI_Add_error_string) X(160, MPI_Comm_call_errhandler) X(161, MPI_Comm_create_keyval) \
    X(162, MPI_Comm_delete_attr) X(163, MPI_Comm_free_keyval) X(164, MPI_Comm_get_attr) \
    X(165, MPI_Comm_get_name) X(166, MPI_Comm_set_attr) X(167, MPI_Comm_set_name) \
    X(168, MPI_File_call_errhandler) X(169, MPI_Grequest_complete) X(170, MPI_Grequest_start) \
    X(171, MPI_Init_thread) X(172, MPI_Is_thread_main) X(173, MPI_Query_thread) \
    X(174, MPI_Status_set_cancelled) X(175, MPI_Status_set_elements) X(176, MPI_Type_create_keyval) \
    X(177, MPI_Type_delete_attr) X(178, MPI_Type_dup) X(179, MPI_Type_free_keyval) \
    X(180, MPI_Type_get_attr) X(181, MPI_Type_get_contents) X(182, MPI_Type_get_envelope) \
    X(183, MPI_Type_get_name) X(184, MPI_Type_set_attr) X(185, MPI_Type_set_name) \
    X(186, MPI_Type_match_size) X(187, MPI_Win_call_errhandler) X(188, MPI_Win_create_keyval) \
    X(189, MPI_Win_delete_attr) X(190, MPI_Win_free_keyval) X(191, MPI_Win_get_attr) \
    X(192, MPI_Win_get_name) X(193, MPI_Win_set_attr) X(194, MPI_Win_set_name) X(195, MPI_Alloc_mem) \
    X(196, MPI_Comm_create_errhandler) X(197, MPI_Comm_get_errhandler) X(198, MPI_Comm_set_errhandler) \
    X(199, MPI_File_create_errhandler) X(200, MPI_File_get_errhandler) X(201, MPI_File_set_errhandler) \
    X(202, MPI_Finalized) X(203, MPI_Free_mem) X(204, MPI_Get_address) X(205, MPI_Info_create) \
    X(206, MPI_Info_delete) X(207, MPI_Info_dup) X(208, MPI_Info_free) X(209, MPI_Info_get) \
    X(210, MPI_Info_get_nkeys) X(211, MPI_Info_get_nthkey) X(212, MPI_Info_get_valuelen) \
    X(213, MPI_Info_set) X(214, MPI_Pack_external) X(215, MPI_Pack_external_size) \
    X(216, MPI_Request_get_status) X(217, MPI_Type_create_darray) X(218, MPI_Type_create_hindexed) \
    X(219, MPI_Type_create_hvector) X(220, MPI_Type_create_indexed_block) \
    X(221, MPI_Type_create_resized) X(222, MPI_Type_create_struct) X(223, MPI_Type_create_subarray) \
    X(224, MPI_Type_get_extent) X(225, MPI_Type_get_true_extent) X(226, MPI_Unpack_external) \
    X(227, MPI_Win_create_errhandler) X(228, MPI_Win_get_errhandler) X(229, MPI_Win_set_errhandler) \
    X(230, MPI_File_open) X(231, MPI_File_close) X(232, MPI_File_delete) X(233, MPI_File_set_size) \
    X(234, MPI_File_preallocate) X(235, MPI_File_get_size) X(236, MPI_File_get_group) \
    X(237, MPI_File_get_amode) X(238, MPI_File_set_info) X(239, MPI_File_get_info) \
    X(240, MPI_File_set_view) X(241, MPI_File_get_view) X(242, MPI_File_read_at) \
    X(243, MPI_File_read_at_all) X(244, MPI_File_write_at) X(245, MPI_File_write_at_all) \
    X(246, MPI_File_iread_at) X(247, MPI_File_iwrite_at) X(248, MPI_File_read) X(249, MPI_File_read_all) \
    X(250, MPI_File_write) X(251, MPI_File_write_all) X(252, MPI_File_iread) X(253, MPI_File_iwrite) \
    X(254, MPI_File_seek) X(255, MPI_File_get_position) X(256, MPI_File_get_byte_offset) \
    X(257, MPI_File_read_shared) X(258, MPI_File_write_shared) X(259, MPI_File_iread_shared) \
    X(260, MPI_File_iwrite_shared) X(261, MPI_File_read_ordered) X(262, MPI_File_write_ordered) \
    X(263, MPI_File_seek_shared) X(264, MPI_File_get_position_shared) X(265, MPI_File_read_at_all_begin) \
    X(266, MPI_File_read_at_all_end) X(267, MPI_File_write_at_all_begin) \
    X(268, MPI_File_write_at_all_end) X(269, MPI_File_read_all_begin) X(270, MPI_File_read_all_end) \
    X(271, MPI_File_write_all_begin) X(272, MPI_File_write_all_end) X(273, MPI_File_read_ordered_begin) \
    X(274, MPI_File_read_ordered_end) X(275, MPI_File_write_ordered_begin) \
    X(276, MPI_File_write_ordered_end) X(277, MPI_File_get_type_extent) X(278, MPI_Register_datarep) \
    X(279, MPI_File_set_atomicity) X(280, MPI_File_get_atomicity) X(281, MPI_File_sync) \
    X(282, MPIO_Test) X(283, MPIO_Wait) X(284, MPIO_Testall) X(285, MPIO_Waitall) X(286, MPIO_Testany) \
    X(287, MPIO_Waitany) X(288, MPIO_Waitsome) X(289, MPIO_Testsome) X(291, Function_enter) \
    X(292, Function_exit)
/* clang-format on */

enum dpt_function {
#define DPT_X(number, name) DPT_##name = number,
    DPT_FUNCTIONS(DPT_X)
#undef DPT_X
        DPT_FUNCTION_COUNT = 293
};

/* The names of all arguments: DPT_COUNT, DPT_DEST ... They are MPI's, one word each, with position_in and
 * position_out, dims_in and dims_out for what goes in and comes out. */
/* clang-format off */
#define DPT_NAMES(X) \
    X(COUNT, count) X(DATATYPE, datatype) X(DEST, dest) X(TAG, tag) X(COMM, comm) X(SOURCE, source) \
    X(STATUS, status) X(SIZE, size) X(REQUEST, request) X(FLAG, flag) X(REQUESTS, requests) \
    X(INDEX, index) X(STATUSES, statuses) X(OUTCOUNT, outcount) X(INDICES, indices) \
    X(CANCELLED, cancelled) X(SENDCOUNT, sendcount) X(SENDTYPE, sendtype) X(SENDTAG, sendtag) \
    X(RECVCOUNT, recvcount) X(RECVTYPE, recvtype) X(RECVTAG, recvtag) X(OLDTYPE, oldtype) \
    X(NEWTYPE, newtype) X(BLOCKLENGTH, blocklength) X(STRIDE, stride) X(LENGTHS, lengths) \
    X(OLDTYPES, oldtypes) X(ADDRESS, address) X(EXTENT, extent) X(LB, lb) X(UB, ub) \
    X(ELEMENTS, elements) X(INCOUNT, incount) X(POSITION_IN, position_in) X(POSITION_OUT, position_out) \
    X(ROOT, root) X(COMMRANK, commrank) X(COMMSIZE, commsize) X(RECVCOUNTS, recvcounts) \
    X(DISPLS, displs) X(SENDCOUNTS, sendcounts) X(SENDDISPLS, senddispls) X(RECVDISPLS, recvdispls) \
    X(OP, op) X(COMMUTE, commute) X(GROUP, group) X(RANK, rank) X(GROUP1, group1) X(RANKS1, ranks1) \
    X(GROUP2, group2) X(RANKS2, ranks2) X(RESULT, result) X(NEWGROUP, newgroup) X(RANKS, ranks) \
    X(RANGES, ranges) X(COMM1, comm1) X(COMM2, comm2) X(OLDCOMM, oldcomm) X(NEWCOMM, newcomm) \
    X(COLOR, color) X(KEY, key) X(INTER, inter) X(LOCALCOMM, localcomm) X(LOCALLEADER, localleader) \
    X(REMOTECOMM, remotecomm) X(REMOTELEADER, remoteleader) X(HIGH, high) X(TOPO, topo) X(NDIM, ndim) \
    X(DIMS, dims) X(PERIODS, periods) X(REORDER, reorder) X(NODES, nodes) X(DIMS_IN, dims_in) \
    X(DIMS_OUT, dims_out) X(NUMEDGES, numedges) X(EDGES, edges) X(TOTEDGES, totedges) \
    X(TOTNODES, totnodes) X(MAXINDEX, maxindex) X(MAXEDGES, maxedges) X(MAXDIMS, maxdims) \
    X(COORDS, coords) X(NNEIGH, nneigh) X(MAXNEIGHBORS, maxneighbors) X(NEIGHBORS, neighbors) \
    X(DIRECTION, direction) X(DISPL, displ) X(REMAIN_DIMS, remain_dims) X(PERIOD, period) \
    X(NEWRANK, newrank) X(NAME, name) X(RESULTLEN, resultlen) X(VERSION, version) \
    X(SUBVERSION, subversion) X(ERRHANDLER, errhandler) X(ERRORCODE, errorcode) \
    X(ERRORSTRING, errorstring) X(ERRORCLASS, errorclass) X(ARGC, argc) X(ARGV, argv) \
    X(PORTNAME, portname) X(INFO, info) X(PARENT, parent) X(FD, fd) X(OLDCOMMRANK, oldcommrank) \
    X(COMMAND, command) X(MAXPROCS, maxprocs) X(ERRCODES, errcodes) X(TOTPROCS, totprocs) \
    X(COMMANDS, commands) X(ARGVS, argvs) X(SERVICENAME, servicename) X(ORIGINCOUNT, origincount) \
    X(ORIGINTYPE, origintype) X(TARGETRANK, targetrank) X(TARGETDISP, targetdisp) \
    X(TARGETCOUNT, targetcount) X(TARGETTYPE, targettype) X(WIN, win) X(DISPUNIT, dispunit) \
    X(ASSERTION, assertion) X(LOCKTYPE, locktype) X(WINRANK, winrank) X(SENDTYPES, sendtypes) \
    X(RECVTYPES, recvtypes) X(KEYVAL, keyval) X(FILE, file) X(REQUIRED, required) X(PROVIDED, provided) \
    X(SUPPORTED, supported) X(NUMDATATYPES, numdatatypes) X(NUMADDRESSES, numaddresses) \
    X(NUMINTEGERS, numintegers) X(MAXINTEGERS, maxintegers) X(MAXADDRESSES, maxaddresses) \
    X(MAXDATATYPES, maxdatatypes) X(ARRINTEGERS, arrintegers) X(ARRADDRESSES, arraddresses) \
    X(ARRDATATYPES, arrdatatypes) X(COMBINER, combiner) X(TYPECLASS, typeclass) X(OLDINFO, oldinfo) \
    X(NEWINFO, newinfo) X(VALUELENGTH, valuelength) X(VALUE, value) X(NKEYS, nkeys) X(N, n) \
    X(VALUELEN, valuelen) X(DATAREP, datarep) X(INTYPE, intype) X(NDIMS, ndims) X(GSIZES, gsizes) \
    X(DISTRIBS, distribs) X(DARGS, dargs) X(PSIZES, psizes) X(ORDER, order) \
    X(BLOCKLENGTHS, blocklengths) X(DISPLACEMENTS, displacements) X(SIZES, sizes) X(SUBSIZES, subsizes) \
    X(STARTS, starts) X(INSIZE, insize) X(FILENAME, filename) X(AMODE, amode) X(OFFSET, offset) \
    X(HOSTTYPE, hosttype) X(FILETYPE, filetype) X(WHENCE, whence) X(BYTES, bytes) X(FN, fn)
/* clang-format on */

enum dpt_name {
#define DPT_X(upper, lower) DPT_##upper,
    DPT_NAMES(DPT_X)
#undef DPT_X
        DPT_NAME_COUNT
};

/* What an argument is. In struct dpt_value, one number is in `number`; for lists `number` is their length. */
enum dpt_type {
    /* one number */
    DPT_TYPE_I32,
    DPT_TYPE_I64,
    DPT_TYPE_RANK, /* in the communicator; negative: see dpt_source_peer */
    DPT_TYPE_TAG,  /* -1: any tag */
    DPT_TYPE_COMM,
    DPT_TYPE_DATATYPE,
    DPT_TYPE_OP,
    DPT_TYPE_REQUEST,
    DPT_TYPE_GROUP,
    DPT_TYPE_KEYVAL,
    DPT_TYPE_ERRHANDLER,
    DPT_TYPE_INFO,
    DPT_TYPE_WIN,
    DPT_TYPE_FILE,
    DPT_TYPE_ENUM,        /* 0 to 255 */
    DPT_TYPE_SIGNED_ENUM, /* -128 to 127 */
    DPT_TYPE_ARGC,        /* of MPI_Init; may be negative, then argv is empty */
    /* lists of numbers: `numbers` */
    DPT_TYPE_NUMBERS,
    DPT_TYPE_NUMBERS_068, /* one number, not a list, in versions before 0.6.8 */
    DPT_TYPE_NUMBERS_069, /* the same before 0.6.9 */
    DPT_TYPE_REQUESTS,
    DPT_TYPE_DATATYPES,
    DPT_TYPE_INFOS,
    DPT_TYPE_BYTES,
    /* the others */
    DPT_TYPE_STRING,       /* `strings`, one of them; number is 1 */
    DPT_TYPE_STRINGS,      /* `strings` */
    DPT_TYPE_ARGV,         /* `strings` */
    DPT_TYPE_STRING_LISTS, /* `string_lists` */
    DPT_TYPE_NUMBER_LISTS, /* `number_lists` */
    DPT_TYPE_STATUS        /* `statuses`; number is 0 when the program ignored them or nothing completed */
};

struct dpt_field {
    uint8_t name; /* enum dpt_name */
    uint8_t type; /* enum dpt_type */
    bool at_root; /* there only when this rank is the root of the collective call */
};

#define DPT_MAX_FIELDS 12

struct dpt_layout {
    const char *name; /* "MPI_Send"; NULL for a number that is no function */
    unsigned field_count;
    const struct dpt_field *fields; /* in the order of the file */
};

/* The layout of a function, or NULL when there is no such function or it is never written. */
DPT_API const struct dpt_layout *dpt_layout(unsigned function);
/* "MPI_Send", or NULL. */
DPT_API const char *dpt_function_name(unsigned function);
/* The number of a function by its name, -1 when there is none. */
DPT_API int dpt_function_number(const char *name);
/* "count", or NULL. */
DPT_API const char *dpt_field_name(unsigned name);

/* ---- Records ---- */

struct dpt_string {
    uint32_t length;  /* in bytes, without the NUL */
    const char *text; /* a NUL follows; there may be others inside */
};

struct dpt_string_list {
    uint32_t count;
    const struct dpt_string *strings;
};

struct dpt_number_list {
    uint32_t count;
    const int32_t *numbers;
};

/* Those of sends mean nothing: recorders write garbage there. error is garbage for single completions. */
struct dpt_receive_status {
    int32_t bytes;  /* of the message */
    int32_t source; /* in the communicator; negative: from MPI_PROC_NULL, or empty */
    int32_t tag;    /* -1 in files of versions before 0.6.3, which did not record it */
    int8_t cancelled;
    int8_t error;
};

struct dpt_value {
    int64_t number;
    union {
        const int32_t *numbers;
        const struct dpt_string *strings;
        const struct dpt_string_list *string_lists;
        const struct dpt_number_list *number_lists;
        const struct dpt_receive_status *statuses;
    };
    bool present; /* false: a root's argument on another rank, or statuses that were not recorded */
};

/* Entry and exit of a call in nanoseconds of one clock of one rank. The 16-bit counters of seconds in the
 * file are unwrapped; small steps back stay as they are, so stop_ns may be less than start_ns. Wall clocks of
 * different nodes may be days apart. */
struct dpt_interval {
    int64_t start_ns, stop_ns; /* since the clock's own zero */
    /* Whole seconds that the file has in the field for nanoseconds (low-resolution clocks). The times above
     * include them; they are kept so that a copy is the same byte for byte. */
    uint8_t start_carry, stop_carry;
};

/* A hardware counter at entry and exit; dpt_file_info.counter_names[i] names the i-th of a record. */
struct dpt_counter {
    int64_t entry, exit; /* in the counter's own unit */
};

/* What struct dpt_record.mask says. */
enum dpt_mask {
    DPT_MASK_STATUS = 0x03, /* either bit: statuses were recorded */
    DPT_MASK_CPU = 0x04,
    DPT_MASK_WALL = 0x08,
    DPT_MASK_THREAD = 0x40,
    DPT_MASK_COUNTERS = 0x80
};

/* One call. It, and all it points to, lives until the next call on the stream. */
struct dpt_record {
    int64_t index;  /* 0 is the first of the file */
    int64_t offset; /* in bytes from the start of the file */
    uint16_t function;
    uint16_t thread; /* 0 when not recorded */
    uint8_t mask;
    uint8_t counter_count;         /* of counters */
    struct dpt_interval cpu, wall; /* zeros when the mask says so */
    const struct dpt_counter *counters;
    const struct dpt_layout *layout;         /* names and types of values */
    struct dpt_value values[DPT_MAX_FIELDS]; /* values[i] belongs to layout->fields[i] */
};

/* The argument, or NULL when the function has none of that name or it is not present. */
DPT_API const struct dpt_value *dpt_value(const struct dpt_record *record, enum dpt_name name);
/* The number of the argument, or otherwise when it is not there. */
DPT_API int64_t dpt_number(const struct dpt_record *record, enum dpt_name name, int64_t otherwise);
/* Writes the record as text, as snprintf does: at most size bytes with the final NUL, and returns the length
 * that the whole text has. One line, "MPI_Send(count=4, datatype=14, dest=1, ...)". */
DPT_API size_t dpt_format(char *text, size_t size, const struct dpt_record *record);

/* ---- Traces ---- */

struct dpt_trace;

/* Opens a metafile, the prefix of one ("dir/dumpi-2026.11.20.10.08.13", also without a metafile), or the file
 * of one rank. Files are looked for beside the metafile, by the prefix it names and then by its own name,
 * with ranks of four digits, then five to nine, then three to none, with or without ".gz". Returns NULL, and
 * fills error (which may be NULL), when it is none of these or no rank's file is there. */
DPT_API struct dpt_trace *dpt_open(const char *path, struct dpt_error *error);
/* NULL is legal. Streams opened from the trace live on. */
DPT_API void dpt_close(struct dpt_trace *trace);
/* The number of ranks: of the metafile, or the files found, or 1. */
DPT_API int32_t dpt_rank_count(const struct dpt_trace *trace);
/* The rank in MPI_COMM_WORLD of the first: 0, or when one rank's file was opened what its name says. */
DPT_API int32_t dpt_first_rank(const struct dpt_trace *trace);
/* The number of ranks whose files are missing. */
DPT_API int32_t dpt_missing_count(const struct dpt_trace *trace);
/* The value of a key of the metafile ("hostname", "username", "startime" [sic], "version" ...), or NULL. */
DPT_API const char *dpt_metadata(const struct dpt_trace *trace, const char *key);
/* Writes the name of a rank's file (0 <= rank < dpt_rank_count) as snprintf does; returns its length, or -1
 * when there is no such rank. */
DPT_API int dpt_rank_path(const struct dpt_trace *trace, int32_t rank, char *path, size_t size);

/* ---- Streams: the records of one rank ---- */

struct dpt_stream;

/* Opens the file of a rank, 0 <= rank < dpt_rank_count. Any number may be open, in any order: no file
 * descriptor is held, so the file must stay where it is until the stream is closed. */
DPT_API struct dpt_stream *dpt_open_rank(const struct dpt_trace *trace, int32_t rank,
                                         struct dpt_error *error);
/* The same for a file by its name. */
DPT_API struct dpt_stream *dpt_open_file(const char *path, struct dpt_error *error);
/* NULL is legal. */
DPT_API void dpt_close_rank(struct dpt_stream *stream);

/* Gives the next record that passes the filter: 1 and *record; 0 at the end of the records; -1 on an error,
 * which stays. A file that ends early gives its whole records and then -1 with DPT_ERROR_TRUNCATED. */
DPT_API int dpt_next(struct dpt_stream *stream, const struct dpt_record **record);

typedef void dpt_callback(void *user, const struct dpt_record *record);

/* Calls back for each of the next count records; for all with count <= 0. Returns 0 at the end or after
 * count, -1 on an error, -2 after dpt_breakloop. */
DPT_API int dpt_loop(struct dpt_stream *stream, int64_t count, dpt_callback *callback, void *user);
/* The same, but returns the number of records it gave (0 at the end), -1 or -2. */
DPT_API int64_t dpt_dispatch(struct dpt_stream *stream, int64_t count, dpt_callback *callback, void *user);
/* Makes the loop that runs, or the next one, return -2 before its next record. For callbacks. */
DPT_API void dpt_breakloop(struct dpt_stream *stream);

/* From now on only these functions' records are given (the others are skipped, but still counted, and
 * datatypes are still followed). None: all again. Returns -1 when a number is no function. */
DPT_API int dpt_filter(struct dpt_stream *stream, const unsigned *functions, size_t count);

/* A place between two records, to come back to: on the same stream, or on another one of the same file. What
 * the stream knows of datatypes is not part of it: after going back, sizes are those of the furthest record
 * read, unless the stream was rewound. */
struct dpt_position {
    int64_t offset, index;             /* of the record that comes next */
    int64_t cpu_seconds, wall_seconds; /* to unwrap the clocks */
};

DPT_API struct dpt_position dpt_tell(const struct dpt_stream *stream);
/* Errors: a position outside of the records. Clears the stream's error. */
DPT_API int dpt_seek(struct dpt_stream *stream, const struct dpt_position *position);
/* To the first record, with fresh statistics and datatypes. */
DPT_API int dpt_rewind(struct dpt_stream *stream);

/* The sentence of the last error of the stream, "" when there was none. */
DPT_API const char *dpt_geterr(const struct dpt_stream *stream);
/* The same as a struct. */
DPT_API const struct dpt_error *dpt_stream_error(const struct dpt_stream *stream);

struct dpt_statistics {
    uint64_t records;                          /* given by dpt_next and loops */
    uint64_t filtered;                         /* skipped by the filter */
    uint64_t bytes;                            /* of these records */
    uint64_t calls[DPT_FUNCTION_COUNT];        /* of both, by function */
    uint64_t clock_steps_back;                 /* starts before the start of the record before, per clock */
    uint64_t clock_wraps;                      /* of the 16-bit seconds */
    uint64_t to_rank_minus_1, to_rank_minus_2; /* point-to-point destinations: see dpt_flavour */
};

DPT_API const struct dpt_statistics *dpt_stats(const struct dpt_stream *stream);

/* ---- What a file says besides its records ---- */

struct dpt_address_name {
    uint64_t address; /* the `fn` of Function_enter and Function_exit */
    const char *name;
};

struct dpt_key_value {
    const char *key, *value; /* what the recorder noted about its run */
};

/* All arrays live as long as the stream. Zeros and NULL for what the file does not have. */
struct dpt_file_info {
    uint8_t version[3]; /* of the recorder that wrote the file */
    bool has_index;     /* false: the file was cut; version and sections are unknown, the newest is assumed */
    unsigned index_sections; /* 7, and 6, 5 or 4 in old files */
    uint64_t start_time;     /* Unix seconds */
    const char *hostname, *username;
    uint32_t mesh_dimensions;                     /* 0: the recorder knew no place of the rank */
    const int32_t *mesh_coordinates, *mesh_sizes; /* of mesh_dimensions numbers each */
    int32_t cpu_base_seconds, wall_base_seconds;
    /* Calls by function, and how many of them were not recorded (because of dumpi.conf or MPI_Pcontrol). */
    uint32_t function_count; /* 291: number 290 holds the totals */
    const uint32_t *calls, *ignored;
    uint32_t counter_count; /* hardware counters that records may have */
    const char *const *counter_names;
    uint32_t datatype_count; /* sizes in bytes by datatype number: see dpt_datatype_size */
    const int32_t *datatype_sizes;
    uint32_t address_count; /* functions that Function_enter and Function_exit may name */
    const struct dpt_address_name *addresses;
    uint32_t key_value_count;
    const struct dpt_key_value *key_values;
    unsigned warning_count; /* sections that could not be read, and the sentence for the last of them */
    char warning[256];
};

DPT_API const struct dpt_file_info *dpt_info(const struct dpt_stream *stream);

/* ---- What numbers mean ---- */

enum dpt_predefined {
    DPT_COMM_NULL = 1,
    DPT_COMM_WORLD = 2,
    DPT_COMM_SELF = 3,
    DPT_FIRST_USER_COMM = 4,
    DPT_DATATYPE_NULL = 1,
    DPT_FIRST_USER_DATATYPE = 28, /* Fortran's are among these */
    DPT_OP_NULL = 14,
    DPT_FIRST_USER_OP = 15,
    DPT_REQUEST_NULL = 1,
    DPT_FIRST_USER_REQUEST = 2,
    DPT_GROUP_NULL = 1,
    DPT_GROUP_EMPTY = 2,
    DPT_FIRST_USER_GROUP = 3,
    DPT_ANY_SOURCE = -1,
    DPT_ANY_TAG = -1,
    DPT_UNDEFINED = -32766 /* MPI_UNDEFINED, as stored */
};

/* The size in bytes of a datatype of this rank after the record last read, or -1 when it is unknown. Numbers
 * are given again after MPI_Type_free, but the file has one size a number: a constructor among the records
 * counts more than the file's table, that more than the usual size of a predefined type. */
DPT_API int64_t dpt_datatype_size(const struct dpt_stream *stream, int64_t datatype);

enum dpt_flavour { DPT_FLAVOUR_UNKNOWN, DPT_FLAVOUR_MPICH, DPT_FLAVOUR_OPEN_MPI };
enum dpt_peer { DPT_PEER_RANK, DPT_PEER_ANY, DPT_PEER_NULL, DPT_PEER_UNKNOWN };

/* Whose MPI_PROC_NULL the stream's sends have shown up to now: -1 is MPICH's, -2 Open MPI's. */
DPT_API enum dpt_flavour dpt_flavour(const struct dpt_stream *stream);
/* What a destination is: a rank, or MPI_PROC_NULL, which is stored as the MPI library has it. */
DPT_API enum dpt_peer dpt_destination_peer(int64_t dest);
/* What the source of a receive is. -1 is MPI_ANY_SOURCE, and also MPICH's MPI_PROC_NULL: the status of the
 * completed receive tells (status may be NULL), else the flavour; DPT_PEER_UNKNOWN when neither does. */
DPT_API enum dpt_peer dpt_source_peer(int64_t source, const struct dpt_receive_status *status,
                                      enum dpt_flavour flavour);

/* Requests by their numbers, which are not unique: several operations at once may have the same (both MPIs
 * give one shared handle to eager sends). So each number has a queue; a completion ends its oldest operation.
 */
struct dpt_requests;

DPT_API struct dpt_requests *dpt_requests_new(void);
DPT_API void dpt_requests_free(struct dpt_requests *requests);
/* Says that an operation has begun; token is the caller's name for it. Returns -1 when memory is out. */
DPT_API int dpt_requests_start(struct dpt_requests *requests, int64_t request, uint64_t token);
/* Ends the oldest operation of that number: true and *token. False: none is known (a non-blocking collective,
 * which recorders do not see, or one that has ended before): it completes at once. */
DPT_API bool dpt_requests_complete(struct dpt_requests *requests, int64_t request, uint64_t *token);
/* The number of operations that have begun and not ended. */
DPT_API size_t dpt_requests_active(const struct dpt_requests *requests);

/* ---- Writing ---- */

struct dpt_writer;

/* Starts the file of a rank. Of info, the version (which decides the layouts) and the base seconds are used
 * now; info may go afterwards. NULL: version 13.0.0, bases 0. */
DPT_API struct dpt_writer *dpt_writer_open(const char *path, const struct dpt_file_info *info,
                                           struct dpt_error *error);
/* Makes *record an empty record of the function (all values absent or 0, mask DPT_MASK_STATUS, CPU, WALL and
 * THREAD). Returns -1 when there is no such function. */
DPT_API int dpt_record_init(struct dpt_record *record, unsigned function);
/* Sets an argument: a number; or a list, which is borrowed. Return -1 when the function has no such argument
 * or its type is another. */
DPT_API int dpt_set_number(struct dpt_record *record, enum dpt_name name, int64_t number);
DPT_API int dpt_set_numbers(struct dpt_record *record, enum dpt_name name, const int32_t *numbers,
                            uint32_t count);
DPT_API int dpt_set_statuses(struct dpt_record *record, enum dpt_name name,
                             const struct dpt_receive_status *statuses, uint32_t count);
DPT_API int dpt_set_strings(struct dpt_record *record, enum dpt_name name, const struct dpt_string *strings,
                            uint32_t count);
/* Appends a record. Times must be within the range that 32-bit bases and 16-bit seconds can unwrap. A root's
 * arguments are written when root equals commrank, whether present or not; statuses by the mask. */
DPT_API int dpt_write(struct dpt_writer *writer, const struct dpt_record *record);
DPT_API const char *dpt_writer_geterr(const struct dpt_writer *writer);
/* Writes what follows the records (header, footer, ..., index) from info, and closes. The footer counts what
 * was written, plus info->ignored when that is not NULL. The index has info->index_sections sections (0: 7).
 * On failure -1, error is filled, and the file is removed. */
DPT_API int dpt_writer_close(struct dpt_writer *writer, const struct dpt_file_info *info,
                             struct dpt_error *error);
/* Closes and removes the file. NULL is legal. */
DPT_API void dpt_writer_discard(struct dpt_writer *writer);
/* Writes a metafile. hostname and username may be NULL; start_time is in Unix seconds. The files of the ranks
 * are FILE_PREFIX-0000.bin and so on. */
DPT_API int dpt_write_metafile(const char *path, const char *file_prefix, int32_t rank_count,
                               const char *hostname, const char *username, uint64_t start_time,
                               struct dpt_error *error);

#ifdef __cplusplus
}
#endif

#endif
