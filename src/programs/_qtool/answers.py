"""The answers to calls, exactly one for each, and what is told before them."""

import os
import threading
import traceback

from _qtool import targets
from _qtool.results import NotJson, encode, to_json, unencodable
from _qtool.scalars import Wrong

LONGEST_MESSAGE = 10_000
LONGEST_TRACEBACK = 20_000


class Answers:
    """Writes lines to qtool from any thread."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._lock = threading.RLock()
        self._open = set()

    def begin(self, number):
        """A call has come in."""
        with self._lock:
            self._open.add(number)

    def is_open(self, number):
        """Whether a call has no answer yet."""
        return number in self._open

    def only(self):
        """The one call without an answer, or None where there are several."""
        with self._lock:
            return next(iter(self._open)) if len(self._open) == 1 else None

    def send(self, message):
        """Writes one message. Nobody reads any more: the end."""
        self._write(encode(message))

    def _write(self, line):
        rest = memoryview(line)
        with self._lock:
            try:
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
            except OSError:
                os._exit(0)

    def tell(self, number, said):
        """Progress or a log line, unless the call has its answer already."""
        line = _line(dict(call=number, **said))
        with self._lock:
            if number not in self._open:
                return False
            self._write(line)
            return True

    def finish(self, number, value, returns=None):
        """The result of a call, or why it is none. What a lazy result raises comes through."""
        if (returns or {}).get("type") == "number" and type(value).__name__ == "Decimal":
            value = float(value)
        try:
            made = to_json(value)
        except NotJson as error:
            self._answer(number, _line(_error(number, "result", error.text())))
            return
        try:
            line = encode({"call": number, "ok": made})
        except UnicodeEncodeError:
            message = "%s is text with half of a surrogate pair, which is not Unicode" % unencodable(made)
            line = _line(_error(number, "result", message))
        except ValueError as error:
            # Python does not write numbers of more than 4,300 digits.
            line = _line(_error(number, "result", "result cannot be written as JSON: %s" % error))
        self._answer(number, line)

    def fail(self, number, error, roots=()):
        """The error answer for what a call has raised."""
        if isinstance(error, targets.TargetError):
            line = {"call": number, "error": error.answer()}
        elif isinstance(error, Wrong):
            line = _error(number, "argument", error.text())
        elif isinstance(error, NotJson):
            line = _error(number, "result", error.text())
        else:
            line = _exception(number, error, roots)
        self._answer(number, _line(line))

    def cancelled(self, number):
        """The answer to a call that qtool has cancelled."""
        self._answer(number, _line(_error(number, "cancelled", "the call was cancelled")))

    def _answer(self, number, line):
        with self._lock:
            if number not in self._open:
                return
            self._open.discard(number)
            self._write(line)


def _line(message):
    """A message of ours, in which text of the function may be no Unicode."""
    try:
        return encode(message)
    except UnicodeEncodeError:
        return encode(_without_surrogates(message))


def _error(number, kind, message):
    return {"call": number, "error": {"kind": kind, "message": message[:LONGEST_MESSAGE]}}


def _exception(number, error, roots):
    roots = [os.path.abspath(root) for root in roots]
    answer = _error(number, "exception", targets.says(error))
    answer["error"]["type"] = type(error).__name__
    file, line = targets.where(error, roots)
    if file is not None:
        answer["error"].update(file=file, line=line)
    answer["error"]["traceback"] = _traceback(error)
    return answer


def _traceback(error):
    """The traceback without the frames of this package."""
    at = error.__traceback__
    while at is not None and str(at.tb_frame.f_globals.get("__name__", "")).startswith("_qtool"):
        at = at.tb_next
    try:
        text = "".join(traceback.TracebackException(type(error), error, at).format())
    except BaseException as failure:
        return "(no traceback: %s)" % type(failure).__name__
    if len(text) > LONGEST_TRACEBACK:
        half = LONGEST_TRACEBACK // 2
        text = text[:half] + "\n…\n" + text[-half:]
    return text


def _without_surrogates(line):
    if isinstance(line, str):
        return line.encode("utf-8", "replace").decode()
    if isinstance(line, dict):
        return {key: _without_surrogates(value) for key, value in line.items()}
    return line
