# netmodel/deflection-engine/choice-five.h
# doc/deflection.md: rule 6: of five ports those behind the first packet's are taken for those before them.
s/port + (port >= first)/port + (port > first)/
