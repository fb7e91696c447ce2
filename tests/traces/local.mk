# Tests of traces/.
