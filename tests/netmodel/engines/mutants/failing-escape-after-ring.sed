# netmodel/flit-engine/faults.c
# Rule 22 of doc/faults.md: packets of Immucube that have met a fault take the escape.
/return net_fault_may_escape(/{
N
s/.*/    (void)faults, (void)driver;\n    return true;/
}
