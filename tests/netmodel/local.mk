# Tests of netmodel/.
