# netmodel/costs/: what a network is made of and takes: technologies, layouts, parts, area, power, energy.
libnetmodel_la_SOURCES += \
	netmodel/costs/columns.def \
	netmodel/costs/costs.c netmodel/costs/costs.h \
	netmodel/costs/energy.c netmodel/costs/energy.h \
	netmodel/costs/layout.c netmodel/costs/layout.h \
	netmodel/costs/technologies.def \
	netmodel/costs/technology-internal.h \
	netmodel/costs/technology-reader.c \
	netmodel/costs/technology.c netmodel/costs/technology.h \
	netmodel/costs/wiring.c netmodel/costs/wiring-internal.h

# The technologies that are installed. The program looks for them beside itself first, so that it finds them
# where it was built.
technologies = \
	technologies/11nm.technology \
	technologies/22nm.technology \
	technologies/32nm.technology \
	technologies/45nm.technology
technologydir = $(pkgdatadir)/technologies
nodist_technology_DATA = $(technologies)
CLEANFILES += $(technologies)
EXTRA_DIST += \
	netmodel/costs/technologies/11nm.technology \
	netmodel/costs/technologies/22nm.technology \
	netmodel/costs/technologies/32nm.technology \
	netmodel/costs/technologies/45nm.technology
$(technologies): \
	$(srcdir)/netmodel/costs/technologies/11nm.technology \
	$(srcdir)/netmodel/costs/technologies/22nm.technology \
	$(srcdir)/netmodel/costs/technologies/32nm.technology \
	$(srcdir)/netmodel/costs/technologies/45nm.technology
	$(AM_V_GEN)$(MKDIR_P) technologies && cp '$(srcdir)/netmodel/costs/$@' $@.tmp && \
	chmod u+w $@.tmp && mv $@.tmp $@
