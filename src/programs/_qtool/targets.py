"""From a target such as `sales.orders:top`, `tools/sales.py:top` or `sales:Shop.top` to what is to be called."""

import difflib
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import sys

# Directories of installed packages may lie inside of the project; what is in them is not the project's.
INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


class TargetError(Exception):
    """Why a target cannot be had. `kind` is one of bad-target, no-such-file, no-such-module, import, syntax, exit,
    no-such-function, not-callable, no-signature, class-arguments, class-abstract."""

    def __init__(self, kind, message, file=None, line=None):
        super().__init__(message)
        self.kind, self.message, self.file, self.line = kind, message, file, line

    def answer(self):
        answer = {"kind": self.kind, "message": self.message}
        if self.file is not None:
            answer["file"] = self.file
        if self.line is not None:
            answer["line"] = self.line
        return answer


class Found:
    """What a target stands for. `owner` is the class that has to be instantiated first, if any."""

    __slots__ = ("name", "module", "function", "owner", "roots")

    def __init__(self, name, module, function, owner):
        self.name, self.module, self.function, self.owner = name, module, function, owner
        self.roots = _entered


def find(target, roots):
    """Imports the module of a target and looks its function up."""
    place, colon, path = target.rpartition(":")
    if not colon or not place or not path or not all(part.isidentifier() for part in path.split(".")):
        raise TargetError("bad-target", "`%s` is not of the form `module:function` or `file.py:function`" % target)
    roots = [os.path.abspath(root) for root in roots]
    if place.endswith(".py"):
        module = _module_of_file(place, roots)
    else:
        enter(roots)
        module = _imported(place, roots, lambda: importlib.import_module(place))
    return _attribute(module, place, path)


# -- importing ----------------------------------------------------------------------------------------------------


_base = list(sys.path)
_entered = None
_left = {}


class _Known:
    """Finds a module by its file where its folder may not be listed, which the path's own finder does: in a sandbox, files
    of a folder may be readable and the folder itself not."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if path is not None:
            return None
        for root in _entered or ():
            package, file = os.path.join(root, name, "__init__.py"), os.path.join(root, name + ".py")
            if os.path.isfile(package):
                folder = os.path.dirname(package)
                return importlib.util.spec_from_file_location(name, package, submodule_search_locations=[folder])
            if os.path.isfile(file):
                return importlib.util.spec_from_file_location(name, file)
            if os.path.isdir(os.path.join(root, name)):
                spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations = [os.path.join(root, name)]
                return spec
        return None


def enter(roots):
    """Puts the roots on the import path. The modules of other roots step aside until those are entered again, so that
    two projects may both have a `tools.py`."""
    global _entered
    roots = tuple(roots)
    if roots == _entered:
        return
    if _Known not in sys.meta_path:
        sys.meta_path.append(_Known)
    if _entered is not None:
        own = {
            name: module for name, module in list(sys.modules.items()) if _steps_aside(name, module, _entered, roots)
        }
        _left[_entered] = (list(sys.path), own)
        for name in own:
            sys.modules.pop(name, None)
    path, own = _left.pop(roots, (list(roots) + [entry for entry in _base if entry not in roots], {}))
    sys.path[:] = path
    sys.modules.update(own)
    importlib.invalidate_caches()
    _entered = roots


def is_under(path, roots):
    """Whether a file belongs to the project."""
    if not path or any(part in path for part in INSTALLED):
        return False
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _steps_aside(name, module, old, new):
    """Whether a module of the old roots would not be the same one, if it were imported with the new ones."""
    path = getattr(module, "__file__", None)
    if path is None:
        try:
            path = next(iter(module.__path__), None)
        except (AttributeError, TypeError, KeyError):
            path = None
    if not isinstance(path, str) or not is_under(path, old) or name.startswith("qtool_file_"):
        return False
    stem = os.path.splitext(path)[0]
    if os.path.basename(stem) == "__init__":
        stem = os.path.dirname(stem)
    tail = name.replace(".", os.sep)
    return not any(stem == os.path.join(os.path.abspath(root), tail) for root in list(new) + _base)


def _module_of_file(place, roots):
    candidates = [place] if os.path.isabs(place) else [os.path.join(root, place) for root in roots]
    path = next((os.path.abspath(one) for one in candidates if os.path.isfile(one)), None)
    if path is None:
        raise TargetError("no-such-file", "no file `%s`%s" % (place, _nearest_file(place, roots)))
    folder, parts = os.path.dirname(path), [os.path.basename(path)[:-3]]
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        parts.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    roots = roots if folder in roots else roots + [folder]
    enter(roots)
    name = ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)
    return _imported(name, roots, lambda: _import_file(name, path))


def _import_file(name, path):
    """By its name where the name leads to this very file, else by its place: `json.py` is not the `json` of Python."""
    if _leads_to(name, path):
        return importlib.import_module(name)
    name = "qtool_file_%s_%x" % (os.path.basename(path)[:-3], hash(path) & 0xFFFFFFFF)
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _leads_to(name, path):
    if name in sys.modules:
        origin = getattr(sys.modules[name], "__file__", None)
    else:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            return False
        origin = spec.origin if spec is not None and spec.has_location else None
    return origin is not None and os.path.exists(origin) and os.path.samefile(origin, path)


def _imported(name, roots, action):
    try:
        return action()
    except SyntaxError as error:
        raise TargetError("syntax", error.msg or str(error), error.filename, error.lineno) from error
    except SystemExit as error:
        file, line = where(error, roots)
        raise TargetError("exit", "leaves Python (%s) while it is imported" % _exit(error), file, line) from error
    except ModuleNotFoundError as error:
        file, line = where(error, roots)
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")) and file is None:
            missing = "no module `%s` in %s" % (error.name, ", ".join(roots) or "the import path")
            raise TargetError("no-such-module", missing) from error
        lacks = "%s (Python: %s)" % (says(error), sys.executable)
        raise TargetError("import", lacks, file, line) from error
    except BaseException as error:
        file, line = where(error, roots)
        raise TargetError("import", "%s: %s" % (type(error).__name__, says(error)), file, line) from error


def _exit(error):
    return "sys.exit()" if error.code is None else "sys.exit(%r)" % (error.code,)


def says(error):
    """The message of an exception, whose `__str__` may itself fail."""
    try:
        return str(error)
    except BaseException:
        return "(its message cannot be shown)"


def where(error, roots):
    """The file and line of the project in which an exception arose, if any."""
    file = line = None
    at = error.__traceback__
    while at is not None:
        path = at.tb_frame.f_code.co_filename
        if is_under(path, roots):
            file, line = path, at.tb_lineno
        at = at.tb_next
    return file, line


def _nearest_file(place, roots):
    folder, name = os.path.split(place)
    for root in roots or [""]:
        try:
            names = [one for one in os.listdir(os.path.join(root, folder)) if one.endswith(".py")]
        except OSError:
            continue
        near = difflib.get_close_matches(name, names, 1)
        if near:
            return ": did you mean `%s`?" % os.path.join(folder, near[0])
    return ""


# -- looking up ---------------------------------------------------------------------------------------------------


def _attribute(module, place, path):
    names = path.split(".")
    holder, value = None, module
    for depth, name in enumerate(names):
        holder = value
        try:
            value = getattr(holder, name)
        except AttributeError:
            within = "`%s`" % ".".join(names[:depth]) if depth else "`%s`" % place
            file = getattr(module, "__file__", None)
            near = _nearest(holder, name)
            raise TargetError("no-such-function", "no `%s` in %s%s" % (name, within, near), file) from None
    value = _behind(value)
    where_it_is = (getattr(module, "__file__", None),)
    if inspect.isclass(value):
        raise TargetError(
            "not-callable", "`%s` is a class: name one of its methods%s" % (path, _methods(value, path)), *where_it_is
        )
    if not callable(value):
        raise TargetError(
            "not-callable", "`%s` is of type `%s`, not a function" % (path, type(value).__name__), *where_it_is
        )
    owner = holder if inspect.isclass(holder) and _wants_instance(holder, names[-1]) else None
    if owner is not None:
        _can_be_made(owner)
    return Found(path, module, value, owner)


def _behind(value):
    """The function that a decorator of another framework (`@mcp.tool`) has wrapped in an object."""
    for attribute in ("fn", "func"):
        if not callable(value) and callable(getattr(value, attribute, None)):
            return getattr(value, attribute)
    return value


def _wants_instance(owner, name):
    static, value = inspect.getattr_static(owner, name), getattr(owner, name)
    is_bound = getattr(value, "__self__", None) is not None
    return not is_bound and not isinstance(static, staticmethod) and inspect.isroutine(value)


def _can_be_made(owner):
    file = getattr(sys.modules.get(owner.__module__), "__file__", None)
    if inspect.isabstract(owner):
        raise TargetError("class-abstract", "the class `%s` is abstract" % owner.__name__, file)
    try:
        parameters = inspect.signature(owner).parameters.values()
    except (ValueError, TypeError):
        return
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    wanted = [one.name for one in parameters if one.default is one.empty and one.kind not in variable]
    if wanted:
        names = ", ".join("`%s`" % name for name in wanted)
        message = "the class `%s` cannot be made without arguments: it wants %s" % (owner.__name__, names)
        raise TargetError("class-arguments", message, file)


def _nearest(holder, name):
    names = [one for one in dir(holder) if not one.startswith("_") and callable(getattr(holder, one, None))]
    near = difflib.get_close_matches(name, names, 1)
    return ": did you mean `%s`?" % near[0] if near else ""


def _methods(owner, path):
    names = [one for one, value in vars(owner).items() if not one.startswith("_") and callable(value)][:5]
    return ", such as `%s.%s`" % (path, names[0]) if names else ""
