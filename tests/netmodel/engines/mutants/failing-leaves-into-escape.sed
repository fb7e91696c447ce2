# netmodel/flit-engine/faults.c
# Rule 22 of doc/faults.md: the ring of KFT is left into the escape, without re-injection.
s/add_tier(tiers, only(engine->outputs_per_router - 1));/add_tier(tiers, request.adaptive ? escape : only(engine->outputs_per_router - 1));/
