"""Replay MPI programs on simulated networks, flit by flit.

This is libflitreplay for Python: every subcommand of the program flitreplay is a function here, with the same options
(underscores for dashes), and gives an Answer, which has the program's output in every form and the keys of its JSON
as attributes. Tables are pandas frames, where pandas is installed.

>>> import flitreplay
>>> answer = flitreplay.run("generate:cg,class=S,ranks=16", "torus:4x4")
>>> round(answer.slowdown, 4)
1.1588
>>> points = flitreplay.traffic("mesh:4x4", "0.1,0.3", cycles=2000)
>>> [point["offered_load"] for point in points.json]
[0.1, 0.3]
>>> flitreplay.run("generate:cg,class=S,ranks=16", "torus:2x2")
Traceback (most recent call last):
flitreplay.Error: generate:cg,class=S,ranks=16 has 16 ranks, but torus:2x2 has only 4 terminals; topology torus:4x4 would do; or ranks-per-terminal 4

Ctrl-C ends the work that is under way. Work releases the interpreter's lock: threads run side by side, each with
requests of its own.
"""

import builtins
import ctypes
import json as _json
import os
import signal
import threading

__all__ = ["Answer", "Error", "Trace", "ask", "check", "collective", "compare", "convert", "cost", "generate", "info",
           "list", "map", "results", "run", "topology", "traffic", "version"]

OK, UNMET, USAGE, INPUT, DEADLOCK, SYSTEM, INTERRUPTED = 0, 1, 2, 3, 4, 5, 130


class _Moment(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("part", ctypes.c_char_p), ("share", ctypes.c_double),
                ("simulated_ns", ctypes.c_uint64), ("runs_done", ctypes.c_uint32), ("runs", ctypes.c_uint32)]


_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Moment))

# Result and arguments of each function, as flitreplay.h has them: p a pointer, s a text, t a text that is freed here.
_FUNCTIONS = {
    "flr_error_status": ("i", "p"), "flr_error_text": ("s", "p"), "flr_error_free": (None, "p"),
    "flr_version": ("s", ""), "flr_string_free": (None, "p"),
    "flr_request_new": ("p", "se"), "flr_request_free": (None, "p"), "flr_request_set": ("i", "psse"),
    "flr_request_add": ("i", "pse"), "flr_request_use": ("i", "ppe"), "flr_request_expect": ("i", "pse"),
    "flr_request_watch": (None, "pfp"), "flr_request_stop": (None, "p"),
    "flr_trace_open": ("p", "spe"), "flr_trace_close": (None, "p"), "flr_trace_ranks": ("u", "p"),
    "flr_trace_format": ("s", "p"), "flr_trace_writer": ("s", "p"),
    "flr_ask": ("p", "pe"), "flr_answer_free": (None, "p"), "flr_answer_status": ("i", "p"),
    "flr_answer_notes": ("s", "p"), "flr_answer_form_name": ("s", "pz"), "flr_answer_form": ("p", "psne"),
    "flr_answer_save": ("i", "psse"),
}
_TYPES = {"p": ctypes.c_void_p, "s": ctypes.c_char_p, "i": ctypes.c_int, "u": ctypes.c_uint32, "z": ctypes.c_size_t,
          "n": ctypes.POINTER(ctypes.c_size_t), "e": ctypes.POINTER(ctypes.c_void_p), "f": _PROGRESS, None: None}


def _load():
    """The library: FLITREPLAY_LIBRARY, or wherever the loader finds it."""
    library = ctypes.CDLL(os.environ.get("FLITREPLAY_LIBRARY", "libflitreplay.so.0"))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = _TYPES[result]
        function.argtypes = [_TYPES[argument] for argument in arguments]
    return library


_library = _load()


class Error(Exception):
    """What the program would print, and the status that it would exit with."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


def _call(name, *arguments):
    """A function that can fail, whose last argument is the error."""
    error = ctypes.c_void_p()
    result = getattr(_library, name)(*arguments, ctypes.byref(error))
    if error.value is None:
        return result
    text, status = _library.flr_error_text(error).decode(), _library.flr_error_status(error)
    _library.flr_error_free(error)
    raise Error(text, status)


def _text_of(value):
    """A value of an option as it would be typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _values(value):
    return value if isinstance(value, (tuple, builtins.list)) else (value,)


class _Request:
    """One question, freed with the object. Options that repeat take a list."""

    def __init__(self, command, operands=(), options=None, forms=()):
        self._pointer = None
        self._pointer = _call("flr_request_new", command.encode())
        self._raised = None
        self.trace = None
        for operand in operands:
            if isinstance(operand, Trace):
                self.trace = operand
                _call("flr_request_use", self._pointer, operand._pointer)
            else:
                _call("flr_request_add", self._pointer, _text_of(operand).encode())
        for name, value in (options or {}).items():
            for each in _values(value):
                if each is not None:
                    _call("flr_request_set", self._pointer, name.replace("_", "-").encode(), _text_of(each).encode())
        for form in forms:
            _call("flr_request_expect", self._pointer, form.encode())

    def __del__(self):
        if self._pointer is not None:
            _library.flr_request_free(self._pointer)

    def watch(self, progress):
        """Also without a progress: the interpreter handles signals only where Python runs."""

        def told(_, moment):
            try:
                if progress is not None:
                    progress(moment[0].part.decode(), moment[0].share, moment[0].simulated_ns)
            except BaseException as raised:  # the work must end first
                self._raised = raised
                _library.flr_request_stop(self._pointer)

        self._progress = _PROGRESS(told)
        _library.flr_request_watch(self._pointer, self._progress, None)

    def _interrupt(self, *_):
        self._raised = KeyboardInterrupt()
        _library.flr_request_stop(self._pointer)

    def ask(self):
        """An Answer; or what was raised in the progress. Where Ctrl-C would raise something, it ends the work first."""
        catches = (threading.current_thread() is threading.main_thread()
                   and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if catches:
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            pointer = _call("flr_ask", self._pointer)
        except Error:
            if self._raised is not None:
                raise self._raised from None
            raise
        finally:
            if catches:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        answer = Answer(self, pointer)
        if self._raised is not None:
            raise self._raised
        return answer


class Trace:
    """An open trace: decoded once, and used by any number of runs. Reading options are those of run.

    >>> with Trace("generate:cg,class=S,ranks=16") as trace:
    ...     trace.ranks, [round(run(trace, each).slowdown, 3) for each in ("mesh:4x4", "torus:4x4")]
    (16, [1.197, 1.159])
    """

    def __init__(self, path, **reading):
        self._pointer = None
        self._reading = _Request("run", (), reading)
        self._pointer = _call("flr_trace_open", _text_of(path).encode(), self._reading._pointer)

    def close(self):
        """Frees the trace; runs of it that are done stay."""
        if self._pointer is not None:
            _library.flr_trace_close(self._pointer)
        self._pointer = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    ranks = property(lambda self: _library.flr_trace_ranks(self._pointer), doc="How many ranks there are.")
    format = property(lambda self: _library.flr_trace_format(self._pointer).decode(), doc='"otf2", "dumpi" ...')
    writer = property(lambda self: _library.flr_trace_writer(self._pointer).decode(), doc="What recorded it.")


class Answer:
    """What was answered. Keys of the JSON document are attributes: answer.slowdown, answer.ranks_detail."""

    def __init__(self, request, pointer):
        self._request, self._pointer, self._document = request, pointer, None

    def __del__(self):
        _library.flr_answer_free(self._pointer)

    @property
    def status(self):
        """OK, UNMET or INTERRUPTED."""
        return _library.flr_answer_status(self._pointer)

    @property
    def notes(self):
        """Lines that explain UNMET."""
        return _library.flr_answer_notes(self._pointer).decode()

    @property
    def forms(self):
        """The names of the forms that there are."""
        names, number = [], 0
        while (name := _library.flr_answer_form_name(self._pointer, number)) is not None:
            names.append(name.decode())
            number += 1
        return tuple(names)

    def form(self, name):
        """The answer as "text", "json", "csv", "html", "svg=channel-load" ..., as the program writes it."""
        text = _call("flr_answer_form", self._pointer, name.encode(), None)
        try:
            return ctypes.string_at(text).decode()
        finally:
            _library.flr_string_free(text)

    def save(self, form, path):
        """Writes a form to a file, whole or not at all."""
        _call("flr_answer_save", self._pointer, form.encode(), _text_of(path).encode())

    @property
    def json(self):
        """The document, as dictionaries and lists."""
        if self._document is None:
            self._document = _json.loads(self.form("json"))
        return self._document

    def __getattr__(self, name):
        if not name.startswith("_") and isinstance(self.json, dict) and name in self.json:
            return self.json[name]
        raise AttributeError(f"the answer has no '{name}'")

    def __dir__(self):
        return [*super().__dir__(), *(self.json if isinstance(self.json, dict) else ())]

    def frame(self, key=None):
        """A pandas frame: of a list in the document (run: "ranks_detail", "busiest_channels" ...), or without a key of
        the form "csv" (run: a row per channel; compare, traffic, cost, collective, results)."""
        import io

        import pandas

        if key is None:
            return pandas.read_csv(io.StringIO(self.form("csv")))
        return pandas.DataFrame(self.json[key])

    def __str__(self):
        return self.form("text")

    def __repr__(self):
        return f"<flitreplay answer: {', '.join(self.forms)}>"


def ask(command, *operands, progress=None, forms=(), **options):
    """Any subcommand. progress(part, share, simulated_ns) is told how far the work is; forms names those that will be
    asked for and of which something has to be recorded ("html" and "svg" of a run)."""
    request = _Request(command, operands, options, forms)
    request.watch(progress)
    return request.ask()


def run(trace, topology=None, **options):
    """Replays a trace (a path, or a Trace) on a network; several jobs by job=[...], with None as the trace.

    >>> answer = run("generate:mg,class=S,ranks=16", "king-mesh:4x4", mapping="greedy", forms=["html"])
    >>> answer.form("html").startswith("<!DOCTYPE html>")
    True
    """
    return ask("run", *(() if trace is None else (trace,)), topology=topology, **options)


def compare(traces, topologies=None, **options):
    """All combinations of networks and of options that have several values.

    >>> answer = compare("generate:mg,class=S,ranks=16", ["mesh:4x4", "torus:4x4"], mapping=["identity", "greedy"])
    >>> len(answer.form("csv").splitlines()) - 1
    4
    """
    return ask("compare", *_values(traces), topology=topologies, **options)


def traffic(topologies, load=None, **options):
    """Synthetic traffic under loads: "0.1,0.2", "0.1:0.5:0.1" or a list; or saturation=True."""
    if load is not None:
        load = ",".join(str(each) for each in _values(load))
    return ask("traffic", topology=topologies, load=load, **options)


def map(trace, topology=None, **options):
    """Places the ranks of a trace on a network: mapping="greedy", output="ranks.map" ..."""
    return ask("map", *(() if trace is None else (trace,)), topology=topology, **options)


def info(trace, **options):
    """What is in a trace."""
    return ask("info", trace, **options)


def check(trace, **options):
    """What is wrong with a trace; the status says whether a replay would be affected."""
    return ask("check", trace, **options)


def topology(text, **options):
    """Exact properties of a topology.

    >>> topology("torus:4x4").diameter
    4
    """
    return ask("topology", text, **options)


def cost(*topologies, **options):
    """What networks cost."""
    return ask("cost", *topologies, **options)


def collective(operation, ranks, bytes=None, **options):
    """The algorithm of a collective operation, and its messages."""
    return ask("collective", operation, ranks=ranks, bytes=bytes, **options)


def generate(kernel, ranks, output, **options):
    """Writes a trace that is made from a formula."""
    return ask("generate", kernel, ranks=ranks, output=output, **options)


def convert(trace, output, **options):
    """Writes a trace in another format."""
    return ask("convert", trace, output=output, **options)


def results(*stores, **options):
    """What comparisons have stored."""
    return ask("results", *stores, **options)


def list(*kind):
    """The names that there are to choose from, as text."""
    return str(ask("list", *kind))


def version():
    """The version of the library."""
    return _library.flr_version().decode()
