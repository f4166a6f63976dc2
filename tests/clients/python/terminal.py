"""qtool on a terminal: a review that asks, with the keys that a person presses.

    python3 terminal.py QTOOL PROJECT

QTOOL is the binary; PROJECT is a copy of the example project that may be changed.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

UP, DOWN, ENTER, ESCAPE, INTERRUPT = b"\x1b[A", b"\x1b[B", b"\r", b"\x1b", b"\x03"
WIDTH = 80
# Beside everything else that runs, a machine can be slow; what never comes is told by the end of the program, too.
SECONDS = 300
checks = 0


def check(holds, what, seen=""):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"{what}\n{seen}")


class Terminal:
    """A program on a terminal of 24 lines of 80 characters."""

    def __init__(self, arguments, folder, **environment):
        self.output, self.at = b"", 0
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, WIDTH, 0, 0))
            os.chdir(folder)
            given = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CI", "CLICOLOR_FORCE")}
            os.execve(arguments[0], arguments, {**given, "TERM": "xterm-256color", **environment})

    def read(self, until=None):
        """What comes, up to and with a text, or to the end. What comes behind the text is left for the next time."""
        end = time.monotonic() + SECONDS
        while until is None or (found := self.output.find(until.encode(), self.at)) < 0:
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                sys.exit(f"nothing with {until!r} came:\n{self.text()}")
            if select.select([self.descriptor], [], [], 0.1)[0]:
                try:
                    read = os.read(self.descriptor, 65536)
                except OSError:  # Linux: the other side is closed.
                    read = b""
                if not read:
                    check(until is None, f"it ended before {until!r} came", self.text())
                    found = len(self.output)
                    break
                self.output += read
        start, self.at = self.at, found + len((until or "").encode())
        return self.output[start : self.at].decode(errors="replace")

    def press(self, *keys):
        # A prompt reads one key at a time, and an escape alone is told from a sequence by the time after it.
        for key in keys:
            time.sleep(0.1)
            os.write(self.descriptor, key)

    def ends(self):
        """Reads to the end; the exit code, or the signal below zero."""
        self.read()
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.descriptor)
        return os.waitstatus_to_exitcode(status)

    def text(self):
        return without_escapes(self.output.decode(errors="replace"))

    def shows_the_cursor(self):
        return self.output.rfind(b"\x1b[?25h") >= self.output.rfind(b"\x1b[?25l")


def without_escapes(text):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "")


def change(path, old, new):
    text = path.read_text()
    check(old in text, f"{path} has no {old!r}")
    path.write_text(text.replace(old, new))


qtool, project = sys.argv[1], Path(sys.argv[2])
accepted = project / "snapshots" / "tools"
review = [qtool, "review"]

change(project / "queries" / "busiest_hours.sql", "AS departures_per_day", "AS per_day")
change(project / "queries" / "late_flights.sql", "worst first", "the worst first")

# The first is accepted, the second skipped.
terminal = Terminal(review, project)
seen = terminal.read("accept this?")
check("busiest_hours (1 of 2)" in without_escapes(seen), "the first tool has no heading", seen)
check("column-renamed" in seen or "is now called" in seen, "the change is not told", seen)
check("\x1b[" in seen, "a terminal has colours", seen)
terminal.press(UP, UP, ENTER)
terminal.read("(2 of 2)")
seen = terminal.read("accept this?")
check("late_flights (2 of 2)" in without_escapes(terminal.text()), "the second tool has no heading", seen)
terminal.press(ENTER)
check(terminal.ends() == 1, "what is left is a problem", terminal.text())
check("accepted 1 tool, 1 left" in terminal.text(), "what was done is not told", terminal.text())
check(terminal.shows_the_cursor(), "the cursor is gone")
check("per_day" in (accepted / "busiest_hours.snap").read_text(), "the first was not accepted")
check("the worst first" not in (accepted / "late_flights.snap").read_text(), "the second was accepted")
longest = max(terminal.text().split("\n"), key=lambda line: 0 if line[:1] in "+- @" else len(line))
check(len(longest) <= WIDTH, "a line is wider than the terminal", longest)

# Both ways to stop leave everything as it is, and the cursor where it was.
for key, codes in ((ESCAPE, (1,)), (INTERRUPT, (2, 130, -signal.SIGINT))):
    terminal = Terminal(review, project, NO_COLOR="1")
    seen = terminal.read("accept this?")
    check(not re.search(r"\x1b\[[0-9;]*m", seen.split("accept this?")[0]), "NO_COLOR is heeded", repr(seen))
    terminal.press(key)
    code = terminal.ends()
    check(code in codes, f"{key!r} ends with {code}", terminal.text())
    check(terminal.shows_the_cursor(), f"after {key!r} the cursor is gone", repr(terminal.output[-200:]))
    check((accepted / "late_flights.snap.new").is_file(), "what is pending is no longer there")

# Rejected, it is no longer pending, and the query is still as it is.
terminal = Terminal(review, project)
terminal.read("accept this?")
terminal.press(UP, ENTER)
check(terminal.ends() == 1, "a rejection is a problem", terminal.text())
check(not (accepted / "late_flights.snap.new").exists(), "what is rejected is pending")

# All that follow.
terminal = Terminal(review, project)
terminal.read("accept this?")
terminal.press(DOWN, ENTER)
check(terminal.ends() == 0, "all are accepted", terminal.text())
terminal = Terminal([qtool, "check", "--locked"], project)
check(terminal.ends() == 0, "what was accepted differs", terminal.text())

print(f"terminal: {checks} checks hold")
