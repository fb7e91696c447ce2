# netmodel/flit-engine/faults.c
# Rule 22 of doc/faults.md: the ring of KFT is left into the escape, without re-injection.
/add_adaptive(engine, driver, tiers);/{
n
s/add_reinjection(engine, tiers);/add_tier(tiers, engine->want[driver - engine->driver].tiers[driver->tiers - 1]);/
}
