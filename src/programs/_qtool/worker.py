"""Calls functions: one JSON a line on standard input, and the answers on standard output."""

import contextvars
import inspect
import json
import logging
import os
import platform
import queue
import signal
import sys
import threading
import time

from _qtool import context, targets
from _qtool.answers import Answers
from _qtool.callee import Callees

# After the end of the input: what is still under way has this long, in seconds.
GRACE = 5.0


def main():
    """Serves calls until standard input ends."""
    lines, answers = _take_over()
    sys.dont_write_bytecode = True
    # Ctrl-C in a terminal reaches each process; qtool decides what becomes of this one.
    signal.signal(signal.SIGINT, lambda *_: None)
    context.offer()
    answers.send({"ready": {"python": platform.python_version(), "pid": os.getpid()}})
    worker = Worker(answers)
    _listen_to_logs(worker)
    threading.Thread(target=worker.read, args=(lines,), daemon=True).start()
    worker.serve()


def _take_over():
    """Keeps the streams of the protocol for itself: prints go to standard error, and `input()` finds nothing."""
    lines, answers = open(os.dup(0), "rb", buffering=1 << 16), Answers(os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)
    sys.stderr.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.stdout = sys.__stdout__ = sys.stderr
    return lines, answers


class Worker:
    """Synchronous calls one after the other, asynchronous ones side by side, all of them in the main thread."""

    def __init__(self, answers):
        self._answers = answers
        self._callees = Callees()
        self._inbox = queue.SimpleQueue()
        self._current = contextvars.ContextVar("qtool_call", default=None)
        self._loop = None
        self._is_looping = False
        self._tasks = {}
        self._cancelled = set()

    # -- the reading thread ---------------------------------------------------------------------------------------

    def read(self, lines):
        """Takes messages in while calls are under way."""
        for line in lines:
            if not line.strip():
                continue
            try:
                message = json.loads(line)
                number = message["call"] if "call" in message else message["cancel"]
                is_call = isinstance(message.get("target"), str) and "call" in message
                if not is_call and "cancel" not in message:
                    raise ValueError("no target")
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                self._answers.send({"call": None, "error": {"kind": "protocol", "message": str(error)}})
                continue
            if is_call:
                self._answers.begin(number)
                self._put(message)
            else:
                self._cancel(number)
        self._put(None)
        # What functions have started may keep the process; nobody waits for it any more.
        time.sleep(GRACE)
        os._exit(0)

    def _put(self, message):
        # The main thread looks into the inbox after it has set the flag, so one of both sees the other.
        self._inbox.put(message)
        if self._is_looping:
            self._loop.call_soon_threadsafe(self._loop.stop)

    def _cancel(self, number):
        if not self._answers.is_open(number):
            return
        self._cancelled.add(number)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel_task, number)

    # -- the main thread ------------------------------------------------------------------------------------------

    def serve(self):
        """Returns once the input has ended and each call has its answer."""
        is_open = True
        while is_open or self._tasks:
            if self._tasks:
                self._run_tasks()
            elif is_open:
                is_open = self._take(self._inbox.get()) and is_open
            while not self._inbox.empty():
                is_open = self._take(self._inbox.get()) and is_open

    def _take(self, message):
        if message is None:
            return False
        number = message["call"]
        if number in self._cancelled:
            self._cancelled.discard(number)
            self._answers.cancelled(number)
            return True
        token = self._current.set(number)
        try:
            self._call(number, message)
        finally:
            self._current.reset(token)
        return True

    def _call(self, number, message):
        try:
            roots = message.get("roots") or []
            callee = self._callees.get(message["target"], roots)
            told = context.Context(lambda said: self._answers.tell(number, said))
            value = callee.call(message.get("arguments") or {}, message.get("types") or {}, told)
            if inspect.isawaitable(value) or inspect.isasyncgen(value):
                self._begin_task(number, value, message)
                return
            self._answers.finish(number, value, message.get("returns"))
        except BaseException as error:
            self._answers.fail(number, error, message.get("roots") or [])
        self._cancelled.discard(number)

    def _begin_task(self, number, value, message):
        import asyncio

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        task = self._tasks[number] = self._loop.create_task(self._run(number, value, message))
        task.add_done_callback(lambda _: self._end_task(number))
        if number in self._cancelled:
            task.cancel()

    async def _run(self, number, value, message):
        import asyncio

        try:
            value = [item async for item in value] if inspect.isasyncgen(value) else await value
            self._answers.finish(number, value, message.get("returns"))
        except asyncio.CancelledError as error:
            if number in self._cancelled:
                self._answers.cancelled(number)
            else:
                self._answers.fail(number, error, message.get("roots") or [])
        except BaseException as error:
            self._answers.fail(number, error, message.get("roots") or [])

    def _end_task(self, number):
        # A task that is cancelled before it begins has given no answer.
        self._answers.cancelled(number)
        self._cancelled.discard(number)
        self._tasks.pop(number, None)
        if not self._tasks:
            self._loop.stop()

    def _cancel_task(self, number):
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()

    def _run_tasks(self):
        self._is_looping = True
        try:
            if self._inbox.empty():
                self._loop.run_forever()
        except BaseException as error:
            # Tasks that a function has started may leave Python; they do not take the worker with them.
            logging.getLogger("qtool").error("%s in a task: %s", type(error).__name__, targets.says(error))
        finally:
            self._is_looping = False

    def call_of_log(self):
        """The call that a log line belongs to. Threads of a function do not know it: it is the only one, if any."""
        number = self._current.get()
        return self._answers.only() if number is None else number


class _Lines(logging.Handler):
    def __init__(self, worker, answers):
        super().__init__()
        self._worker, self._answers = worker, answers

    def emit(self, record):
        try:
            message = self.format(record)
            number = self._worker.call_of_log()
            level = (
                "critical"
                if record.levelno >= 50
                else "error"
                if record.levelno >= 40
                else ("warning" if record.levelno >= 30 else "info" if record.levelno >= 20 else "debug")
            )
            said = {"log": {"level": level, "message": message[:10_000], "logger": record.name}}
            if number is None or not self._answers.tell(number, said):
                sys.stderr.write("%s: %s\n" % (level, message))
        except Exception:
            self.handleError(record)


def _listen_to_logs(worker):
    root = logging.getLogger()
    root.addHandler(_Lines(worker, worker._answers))
    root.setLevel(logging.INFO)
