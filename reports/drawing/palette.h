/* Inside reports/: the colours of all pictures. Every set is told apart under the common kinds of colour
 * blindness and in grey: what is to be told apart has the hues of Okabe and Ito ("Color universal design",
 * 2008), some of them darker or lighter than there, so that they differ on grey paper, too (CIE lightness: blue
 * 34, purple 45, vermilion 46, green 58, orange 71, sky 79, grey 88; purple and vermilion meet in topologies
 * only, where directions tell links apart); what has a size has a scale of rising darkness (after viridis,
 * reversed). HTML reports translate them for dark screens (reports/pages/style.c). */
#ifndef REPORT_PALETTE_H
#define REPORT_PALETTE_H

#include "reports/drawing/draw.h"

#define REPORT_PAPER 0xfdfcf9
#define REPORT_INK 0x22262b
#define REPORT_PALE_INK 0x6b7280
#define REPORT_GRID 0xe2e4e8
/* Words in boxes of other colours than paper: on the pale ones of a scale, which are the dark ones of a dark screen;
 * on those that are neither, and on what is bright on either; on the dark ones. */
#define REPORT_ON_PALE 0x21252a
#define REPORT_ON_BRIGHT 0x20242a
#define REPORT_ON_DARK 0xffffff

#define REPORT_BLUE 0x00548a
#define REPORT_GREEN 0x009e73
#define REPORT_VERMILION 0xb84c00
#define REPORT_ORANGE 0xe69f00
#define REPORT_SKY 0x89cbf2
#define REPORT_PURPLE 0x9b4f96
#define REPORT_GREY 0xd9dce0

/* Loads: 0 is idle, the others divide what there is up to the most into equal parts. */
#define REPORT_LOAD_STEPS 8
extern const report_color report_load_colors[REPORT_LOAD_STEPS];
/* Of words in a box of a step's colour. */
report_color report_load_ink(uint32_t step);
/* 0 where there is no load, or no most. */
uint32_t report_load_step(double load, double most);
/* The same for what differs by orders of magnitude: equal parts of the logarithms from the least to the most. The most
 * has the last colour, also where it is the least. */
uint32_t report_load_step_logarithmic(double load, double least, double most);

#endif
