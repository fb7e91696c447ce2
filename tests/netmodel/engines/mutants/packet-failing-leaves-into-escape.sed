# netmodel/packet-engine/faults.c
# Rule 22 of doc/faults.md: the ring of KFT is left into the escape, without re-injection.
/add_adaptive(here, outputs, tiers);/{
n
s/add_reinjection(engine, tiers);/add_tier(tiers, net_packet_faults_last(outputs) \& ~here->dead);/
}
