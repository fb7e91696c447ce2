# netmodel/flit-engine/lanes.c
# Rule 9: of two ejection channels with a flit one rests.
s/(ready \& ~links)/((ready \& ~links) \& -(ready \& ~links))/
