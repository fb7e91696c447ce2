# netmodel/multistage-engine/cycle.c
# Rules 1 and 2: of equal queues the lowest.
s/engine->queues\[queue\].bits < engine->queues\[best\].bits/engine->queues[queue].bits <= engine->queues[best].bits/
