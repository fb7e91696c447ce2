# Tests of cli/.
