"""A function that is ready to be called: imported once, with what its parameters need worked out."""

import inspect
import typing

from _qtool import fields, targets
from _qtool.annotations import MISSING, Unresolved, is_context, names_of_function, signature, unwrap
from _qtool.arguments import converter, converter_of_type
from _qtool.scalars import Wrong


class Callees:
    """The functions that were called so far, and the instances that their methods belong to."""

    def __init__(self):
        self._known = {}
        self._instances = {}

    def get(self, target, roots):
        """The function of a target; TargetError where there is none."""
        key = (target, tuple(roots))
        known = self._known.get(key)
        if known is None:
            found = targets.find(target, roots)
            known = self._known[key] = (Callee(found, self._bound(found)), found.roots)
        # Functions may import while they run.
        targets.enter(known[1])
        return known[0]

    def _bound(self, found):
        if found.owner is None:
            return found.function
        if found.owner not in self._instances:
            self._instances[found.owner] = found.owner()
        return getattr(self._instances[found.owner], found.name.split(".")[-1])


class Callee:
    """One function."""

    def __init__(self, found, function):
        self._function = function
        try:
            described = signature(function).parameters.values()
        except (ValueError, TypeError) as error:
            message = "`%s` does not say which parameters it has" % found.name
            raise targets.TargetError("no-signature", message) from error
        names = names_of_function(function)
        variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        self._parameters = [_Parameter(one, names) for one in described if one.kind not in variable]

    def call(self, arguments, types, told):
        """Calls the function. Wrong arguments raise Wrong; what the function raises comes through."""
        positional, named, used = [], {}, 0
        for parameter in self._parameters:
            if parameter.is_context:
                value = told
            elif parameter.name in arguments:
                used += 1
                value = parameter.value(arguments[parameter.name], types.get(parameter.name))
            else:
                value = parameter.left_out()
                if value is MISSING:
                    continue
            if parameter.is_positional_only:
                positional.append(value)
            else:
                named[parameter.name] = value
        if used < len(arguments):
            known = [one.name for one in self._parameters if not one.is_context]
            unknown = next(name for name in arguments if name not in known)
            raise Wrong("is no parameter", [unknown])
        return self._function(*positional, **named)


class _Parameter:
    def __init__(self, parameter, names):
        self.name = parameter.name
        self.is_context = is_context(parameter, names)
        self.is_positional_only = parameter.kind == parameter.POSITIONAL_ONLY
        self._default = parameter.default
        self._info = parameter.default if fields.is_field_info(parameter.default) else None
        self._convert = None
        self._stated = None
        if self.is_context or parameter.annotation is MISSING:
            return
        bare = unwrap(parameter.annotation, names)
        if self._info is None and parameter.default is MISSING:
            self._info = next((one for one in bare.metadata if fields.is_field_info(one)), None)
        if not isinstance(bare.type, Unresolved) and bare.type not in (typing.Any, object):
            self._convert = converter(parameter.annotation, names)

    def value(self, given, stated):
        """What the function gets. Without an annotation, the stated type of the manifest counts."""
        convert = self._convert
        if convert is None:
            if stated is None:
                return given
            if self._stated is None or self._stated[0] != stated:
                self._stated = (stated, converter_of_type(stated))
            convert = self._stated[1]
        if given is None and self._default is None:
            return None
        try:
            return convert(given)
        except Wrong as error:
            error.path.append(self.name)
            raise

    def _takes_none(self):
        """Whether the annotation says that `None` is a value: `Optional[str]` without a default."""
        if self._convert is None:
            return False
        try:
            return self._convert(None) is None
        except Wrong:
            return False

    def left_out(self):
        """The value of a parameter that the call does not name, or MISSING where the function's own default counts."""
        if self._info is not None:
            default = fields.default_of(self._info)
        else:
            default = self._default
        if default is MISSING:
            if self._takes_none():
                return None
            raise Wrong("is missing", [self.name])
        return default if self._info is not None or self.is_positional_only else MISSING
