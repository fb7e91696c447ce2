# Tests of reports/.
