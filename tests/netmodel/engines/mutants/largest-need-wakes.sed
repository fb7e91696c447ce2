# netmodel/packet-engine/kernel-choice.h
# The timed wake-up is for the greatest need of the sleepers instead of the least.
s/(need < output->need_least ? need : output->need_least)/(output->need_least == NET_PACKET_NEED_NONE || need > output->need_least ? need : output->need_least)/
