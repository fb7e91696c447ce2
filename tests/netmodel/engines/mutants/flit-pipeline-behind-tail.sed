# netmodel/flit-engine/heads.h
# Rule 1: a header behind a tail does not wait for the pipeline.
s/ && engine->packets\[driver->head\].ready <= engine->network.now//
