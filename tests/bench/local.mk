# Tests of bench/.
