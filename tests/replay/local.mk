# Tests of replay/.
