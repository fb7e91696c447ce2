/* How far a drawing reaches, before there is paper for it: the words of a legend decide how wide a picture is.
 *
 *      struct report_measure measure;
 *      struct report_draw *draw = report_measure_begin(&measure);
 *      …                                                   draw as on paper
 *      measure.reach                                       the rightmost and the lowest point */
#ifndef REPORT_MEASURE_H
#define REPORT_MEASURE_H

#include "reports/drawing/draw.h"

struct report_measure {
    struct report_draw draw; /* first: the backend finds itself by it */
    struct report_point reach;
};

struct report_draw *report_measure_begin(struct report_measure *measure);

#endif
