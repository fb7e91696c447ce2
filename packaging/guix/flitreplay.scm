;; Guix recipe of flitreplay: guix build -f flitreplay.scm, with the hash of the release's tarball filled in.
(use-modules (guix packages)
             (guix download)
             (guix build-system gnu)
             ((guix licenses) #:prefix license:)
             (gnu packages check)
             (gnu packages compression)
             (gnu packages digest)
             (gnu packages maths)
             (gnu packages pkg-config)
             (gnu packages profiling)
             (gnu packages serialization)
             (gnu packages sqlite)
             (gnu packages web))

(package
  (name "flitreplay")
  (version "0.1.0")
  (source (origin
            (method url-fetch)
            (uri (string-append "https://flitreplay.example/flitreplay-" version ".tar.xz"))
            (sha256 (base32 "0000000000000000000000000000000000000000000000000000"))))
  (build-system gnu-build-system)
  (arguments '(#:configure-flags '("--disable-static" "--without-mpi" "--with-tests")))
  (native-inputs (list pkg-config cmocka))
  (inputs (list otf2 jansson xxhash zlib scotch sqlite libyaml))
  (home-page "https://flitreplay.example/")
  (synopsis "Replay recorded MPI communication on a simulated network")
  (description
   "flitreplay replays the MPI communication of recorded programs flit by flit on simulated interconnection networks, and says how
much slower they run there than on an ideal network, and why.")
  (license license:bsd-3))
