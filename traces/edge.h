/* A flag of waits beside those of program.h. Of a GOAL schedule a wait may be an operation of its own, `calc 0`, or be
 * only what the next operation requires. Both wait for the same; LogGOPSim's turns differ (replay/engine/loggops.c). */
#ifndef TRACE_EDGE_H
#define TRACE_EDGE_H

enum { TRACE_EDGE = 128 };

#endif
