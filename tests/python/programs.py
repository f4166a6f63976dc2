"""The two programs as qtool puts them together, and ways to run them."""

import json
import os
import re
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "src", "programs")


def _read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def _program(constant):
    """Reads the list of modules from `python.rs`, so that a module that was forgotten there fails here."""
    rust = _read("python.rs")
    start, modules = re.search(constant + r': &str = program!\("(\w+)":(.*?)\);', rust, re.S).groups()
    made = "SOURCES = {}\n"
    for name, file in re.findall(r'"([\w.]+)" in "([\w.]+)"', modules):
        text = _read("_qtool/" + file)
        assert "'''" not in text and text.isascii() is not None
        made += "SOURCES['%s'] = r'''%s'''\n" % (name, text)
    return made + _read("_qtool/boot.py") + "\n\nstart('%s')\n" % start


START = re.search(r'START: &str = "(.*?)";', _read("python.rs"), re.S).group(1)
INTROSPECT = _program("INTROSPECT").encode()
WORKER = _program("WORKER").encode()


def command(program):
    return [sys.executable, "-I", "-B", "-X", "utf8", "-c", START, str(len(program))]


def introspect(entries, cwd=None):
    """(answers, standard error)"""
    asked = INTROSPECT + json.dumps({"entries": entries}).encode()
    done = subprocess.run(command(INTROSPECT), input=asked, capture_output=True, cwd=cwd, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout), done.stderr.decode()


class Worker:
    """A worker with a pipe on each side."""

    def __init__(self, cwd=None):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command(WORKER), stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd)
        self.process.stdin.write(WORKER)
        self.process.stdin.flush()
        self.ready = self.read()
        self.count = 0

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read().decode()
        return json.loads(line)

    def answers(self, count):
        """The next answers, without what is told before them."""
        found = []
        while len(found) < count:
            line = self.read()
            found += [line] if "ok" in line or "error" in line else []
        return found

    def begin(self, target, roots, arguments=None, **rest):
        self.count += 1
        self.send(dict(call=self.count, target=target, roots=roots, arguments=arguments or {}, **rest))
        return self.count

    def call(self, target, roots, arguments=None, **rest):
        """(the answer, what was told before it)"""
        number, told = self.begin(target, roots, arguments, **rest), []
        while True:
            line = self.read()
            assert line["call"] == number, line
            if "ok" in line or "error" in line:
                return line, told
            told.append(line)

    def end(self):
        """(exit code, standard error)"""
        rest, said = self.process.communicate(timeout=20)
        assert rest == b"", rest
        return self.process.returncode, said.decode()
