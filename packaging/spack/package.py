# Spack recipe of flitreplay: put it into a repository as packages/flitreplay/package.py.
from spack.package import *


class Flitreplay(AutotoolsPackage):
    """Replays the MPI communication of recorded programs flit by flit on simulated interconnection networks, and says how
    much slower they run there than on an ideal network, and why."""

    homepage = "https://flitreplay.example/"
    url = "https://flitreplay.example/flitreplay-0.1.0.tar.xz"

    license("BSD-3-Clause")

    version("0.1.0")

    variant("mpi", default=False, description="Comparisons on several machines")
    variant("scotch", default=True, description="Mappings by SCOTCH")
    variant("sqlite", default=True, description="Results of comparisons on disk")
    variant("yaml", default=True, description="Machines and experiments as YAML files")
    variant("python", default=False, description="The package for Python")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("otf2@3:")
    depends_on("jansson@2.12:")
    depends_on("xxhash@0.8:")
    depends_on("zlib-api")
    depends_on("scotch@7:~mpi", when="+scotch")
    depends_on("sqlite@3.34:", when="+sqlite")
    depends_on("libyaml@0.2:", when="+yaml")
    depends_on("mpi@3:", when="+mpi")
    depends_on("python@3.8:", when="+python", type=("build", "run"))
    depends_on("cmocka@1.1:", type="test")

    def configure_args(self):
        args = ["--with-otf2={0}".format(self.spec["otf2"].prefix), "--disable-static"]
        for name in ("mpi", "scotch", "sqlite", "yaml", "python"):
            args += self.with_or_without(name)
        args.append("--with-tests" if self.run_tests else "--without-tests")
        return args
