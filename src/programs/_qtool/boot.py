"""Makes the package `_qtool` importable from the texts in SOURCES, which qtool puts before this, and runs a module."""

import importlib
import importlib.machinery
import sys


class _Embedded:
    def find_spec(self, name, path=None, target=None):
        if name not in SOURCES:  # noqa: F821
            return None
        return importlib.machinery.ModuleSpec(name, self, origin="<%s>" % name, is_package=name == "_qtool")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        text = SOURCES[module.__name__]  # noqa: F821
        exec(compile(text, "<%s>" % module.__name__, "exec"), module.__dict__)


def start(name):
    sys.argv[:] = ["qtool"]
    sys.meta_path.insert(0, _Embedded())
    importlib.import_module("_qtool." + name).main()
