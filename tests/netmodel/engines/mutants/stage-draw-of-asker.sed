# netmodel/multistage-engine/cycle.c
# Rule 2: the queue has a draw of its own.
s/drawn(engine, asker + all)/drawn(engine, asker)/
