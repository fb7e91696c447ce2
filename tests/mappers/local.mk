# Tests of mappers/.
