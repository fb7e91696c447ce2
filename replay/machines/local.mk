# replay/machines/: machines and physical units, which become options of the model.
libreplay_la_SOURCES += \
	replay/machines/host-file.c replay/machines/host-file.h \
	replay/machines/machine-figures.def \
	replay/machines/machine-file.c replay/machines/machine-file.h \
	replay/machines/machines.def \
	replay/machines/physical.c replay/machines/physical.h \
	replay/machines/units.c replay/machines/units.h

if WITH_YAML
libreplay_la_SOURCES += \
	replay/machines/machine-yaml.c \
	replay/machines/yaml-problem.c replay/machines/yaml-problem.h
else
libreplay_la_SOURCES += \
	replay/machines/machine-none.c
endif

# The machines that are installed, found as technologies are: beside the program first.
machines = \
	machines/bluegene-q.yaml \
	machines/cray-gemini.yaml \
	machines/infiniband-hdr.yaml \
	machines/noc-king-64.yaml \
	machines/slingshot.yaml \
	machines/tofu-d.yaml
machinedir = $(pkgdatadir)/machines
nodist_machine_DATA = $(machines)
CLEANFILES += $(machines)
EXTRA_DIST += \
	replay/machines/presets/bluegene-q.yaml \
	replay/machines/presets/cray-gemini.yaml \
	replay/machines/presets/infiniband-hdr.yaml \
	replay/machines/presets/noc-king-64.yaml \
	replay/machines/presets/slingshot.yaml \
	replay/machines/presets/tofu-d.yaml
$(machines): \
	$(srcdir)/replay/machines/presets/bluegene-q.yaml \
	$(srcdir)/replay/machines/presets/cray-gemini.yaml \
	$(srcdir)/replay/machines/presets/infiniband-hdr.yaml \
	$(srcdir)/replay/machines/presets/noc-king-64.yaml \
	$(srcdir)/replay/machines/presets/slingshot.yaml \
	$(srcdir)/replay/machines/presets/tofu-d.yaml
	$(AM_V_GEN)$(MKDIR_P) machines && cp '$(srcdir)/replay/machines/presets/'"`basename '$@'`" $@.tmp && \
	chmod u+w $@.tmp && mv $@.tmp $@
