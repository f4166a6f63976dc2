"""What a function may ask of the call it serves: progress and log lines. `from qtool import Context` finds it."""

import importlib.abc
import importlib.util
import math
import sys

LEVELS = ("debug", "info", "warning", "error", "critical")


class Done:
    """The result of something done already: to be ignored, or awaited."""

    __slots__ = ()

    def __await__(self):
        return iter(())


DONE = Done()


class Context:
    """One call, as seen by the function that serves it. Every method may be awaited, and need not be."""

    def __init__(self, send):
        self._send = send

    def report_progress(self, progress, total=None, message=None):
        """Says how much is done, of `total` where that is known."""
        said = {"progress": finite(progress)}
        if total is not None:
            said["total"] = finite(total)
        if message is not None:
            said["message"] = str(message)
        self._send(said)
        return DONE

    def log(self, level, message, **_):
        """Sends one log line: level is debug, info, warning, error or critical."""
        level = str(level).lower()
        if level not in LEVELS:
            raise ValueError("no log level %r: one of %s" % (level, ", ".join(LEVELS)))
        self._send({"log": {"level": level, "message": str(message)}})
        return DONE

    def debug(self, message, **_):
        return self.log("debug", message)

    def info(self, message, **_):
        return self.log("info", message)

    def warning(self, message, **_):
        return self.log("warning", message)

    def error(self, message, **_):
        return self.log("error", message)


def finite(number):
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        number = float(number)
    if isinstance(number, float) and not math.isfinite(number):
        raise ValueError("progress has to be a finite number")
    return number


class _Offered(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes `import qtool` work in projects that have no module of that name."""

    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name == "qtool" else None

    def exec_module(self, module):
        module.Context = Context


def offer():
    """Last in line, so that a module `qtool` of the project itself goes first."""
    sys.meta_path.append(_Offered())
