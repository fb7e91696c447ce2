# netmodel/packet-engine/kernel-starts.h
# Rule 22 of doc/faults.md: nobody notes since when a packet has been leaving its buffer.
/driver_local)->departure = (uint16_t)at.cycle;/s/=.*/+= 0;/
