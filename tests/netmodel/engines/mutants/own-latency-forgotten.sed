# netmodel/packet-engine/kernel-mail.h
# Rule 12: links have the latency of the options.
s/if (engine->crossings == NULL)/if (true)/
