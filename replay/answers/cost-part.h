/* Inside replay/answers/: what both answers of `cost` share. */
#ifndef REPLAY_ANSWERS_COST_PART_H
#define REPLAY_ANSWERS_COST_PART_H

#define REPLAY_COST_TECHNOLOGY "45nm" /* where none is named, as option-texts.def says */

#endif
