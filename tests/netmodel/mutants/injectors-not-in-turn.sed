# netmodel/engine-cycle.c
# Rule 2: every message joins the first injector.
/\*turn = \*turn + 1 ==/d
