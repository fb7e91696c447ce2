/* Inside reports/: the numbers of a point in the order of JSON keys and CSV columns, named once for both. */
#ifndef REPORT_TRAFFIC_COLUMNS_H
#define REPORT_TRAFFIC_COLUMNS_H

#include "reports/traffic/traffic.h"

enum report_column_kind { REPORT_COLUMN_REAL, REPORT_COLUMN_COUNT, REPORT_COLUMN_FLAG };

struct report_column {
    const char *name;             /* the head of the column */
    enum report_column_kind kind; /* which of the values counts, and how it is written */
    double real;                  /* NaN: not known */
    uint64_t count;               /* flag: 0 or 1 */
};

#define REPORT_TRAFFIC_COLUMNS 60
/* Fills columns with those of the point and returns how many there are. */
size_t report_traffic_columns(const struct report_traffic *report, const struct report_traffic_point *point,
                              struct report_column columns[REPORT_TRAFFIC_COLUMNS]);

#endif
