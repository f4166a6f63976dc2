"""SQL as a list of words, and the literals among them."""

import json
import re

from places import Bracket, place

WORD = re.compile(r"""
    (?P<space>\s+|--[^\n]*|/\*.*?\*/)
  | (?P<special>[eExXbBuUnN]&?'(?:[^'\\]|\\.|'')*'|\$\$.*?\$\$)
  | (?P<text>'(?:[^']|'')*')
  | (?P<quoted>"(?:[^"]|"")*"|`[^`]*`)
  | (?P<number>(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_\u0080-\uffff][\w$]*)
  | (?P<sign>->>|->|::|<=>|<=|>=|<>|!=|\|\||=>|!~~\*|!~~|!~\*|!~|~~\*|~~|~\*|@>|<@|<<|>>|\*\*|//|==|.)
""", re.X | re.S)

# Behind these words a sign is that of a number.
BEFORE_AN_OPERAND = {"select", "where", "and", "or", "not", "in", "between", "like", "ilike", "then", "else", "when", "case",
                     "limit", "offset", "by", "having", "on", "values", "distinct", "as", "escape", "is", "from", "all"}
TYPES_WITH_DIGITS = {"decimal", "numeric", "dec", "varchar", "char", "character", "timestamp", "time", "float", "varying",
                     "timestamptz", "binary", "varbinary", "fixedsizebinary", "decimal128", "decimal256", "bit", "precision",
                     "datetime", "nvarchar"}
TYPED = {"date", "timestamp", "time", "timestamptz", "interval"}
# Arguments that are part of the function: types, and the names of fields.
NAMED_ARGUMENTS = {"arrow_cast": {1}, "arrow_try_cast": {1}, "arrow_field": {1}, "get_field": set(range(1, 99)),
                   "named_struct": set(range(0, 99, 2)), "arrow_metadata": {1}, "with_metadata": set(range(1, 99)),
                   "cast_to_type": {1}, "try_cast_to_type": {1}, "variant_get": {1}}


class Word:
    def __init__(self, kind, text):
        self.kind = kind
        self.text = text

    @property
    def name(self):
        return self.text.lower() if self.kind == "name" else None


def words(sql):
    return [Word(found.lastgroup, found.group()) for found in WORD.finditer(sql)]


class Literal:
    """A literal: the words it is written in, the JSON of its value, and where it stands."""

    def __init__(self, begin, end, json_text, where):
        self.begin, self.end, self.json, self.place = begin, end, json_text, where


def literals(found):
    """The literals among words that are values; those that are part of a type, a name or a position are left out."""
    solid = [at for at, word in enumerate(found) if word.kind != "space"]
    result = []
    calls = []
    clause = None
    skip_to = -1
    for here, at in enumerate(solid):
        word = found[at]
        before = found[solid[here - 1]] if here else None
        after = found[solid[here + 1]] if here + 1 < len(solid) else None
        if word.text == "(":
            is_call = before is not None and before.kind == "name"
            calls.append(Bracket(before.text.lower() if is_call else "(", clause, before and before.name))
            clause = None
        elif word.text == ")" and calls:
            clause = calls.pop().clause
        elif word.text in "[{":
            is_behind_value = word.text == "[" and before is not None and is_value(before)
            calls.append(Bracket(word.text, clause, before and before.name, is_behind_value))
            clause = None
        elif word.text in "]}" and calls:
            clause = calls.pop().clause
        elif word.text == "," and calls:
            calls[-1].argument += 1
        elif word.kind == "name":
            name = word.name
            if name == "by" and before is not None and before.name in ("order", "group", "partition"):
                clause = "positions"
            elif name in ("select", "limit", "offset", "from", "where", "having", "union", "rows", "range", "groups",
                          "values"):
                clause = name
        if at < skip_to or word.kind not in ("text", "number"):
            continue
        around = calls[-1] if calls else Bracket("", None, None)
        if around.name in TYPES_WITH_DIGITS:
            continue
        if around.argument in NAMED_ARGUMENTS.get(around.name, ()):
            continue
        if before is not None and before.text in (".", "as"):
            continue
        # A field of a record, and the name of one that is made.
        if word.kind == "text" and around.name == "[" and calls and after is not None and after.text == "]" \
                and is_subscript(found, solid, here):
            continue
        if after is not None and after.text == ":" and around.name == "{":
            continue
        # A position: `ORDER BY 1`.
        is_alone = (before is None or before.text in (",", "by", "BY", "By")) and (
            after is None or after.text in (",", ")") or after.kind == "name")
        if word.kind == "number" and clause == "positions" and is_alone:
            continue
        begin, end, text = at, at + 1, word.text
        if word.kind == "text":
            value = word.text[1:-1].replace("''", "'")
            # `DATE '2024-01-31'` says its type.
            if before is not None and before.name in TYPED:
                continue
            result.append(Literal(begin, end, json.dumps(value), place(calls, clause)))
        else:
            sign = ""
            if before is not None and before.text in "+-" and here >= 2:
                ahead = found[solid[here - 2]]
                is_operand = ahead.kind in ("text", "number", "quoted", "special") or ahead.text in (")", "]") or (
                    ahead.kind == "name" and ahead.name not in BEFORE_AN_OPERAND)
                if not is_operand and ahead.text not in "+-":
                    begin, sign = solid[here - 1], before.text.replace("+", "")
            if before is not None and before.name in TYPED:
                continue
            result.append(Literal(begin, end, sign + number(text), place(calls, clause)))
    return result


def is_subscript(found, solid, here):
    """Whether the bracket in front of a word stands behind a value."""
    if here < 2 or found[solid[here - 1]].text != "[":
        return False
    return is_value(found[solid[here - 2]])


def is_value(word):
    """Whether a bracket behind this word looks into a value."""
    return word.text in (")", "]") or word.kind == "quoted" or (
        word.kind == "name" and word.name not in BEFORE_AN_OPERAND | {"array"})


def number(text):
    """The digits as JSON has them."""
    text = text.replace("_", "")
    mantissa, exponent = re.match(r"([^eE]*)((?:[eE].*)?)", text).groups()
    whole, dot, rest = mantissa.partition(".")
    whole = whole.lstrip("0") or "0"
    return whole + (dot + (rest or "0") if dot else "") + exponent


END_OF_ITEMS = {"from", "where", "group", "having", "qualify", "window", "union", "intersect", "except", "order", "limit",
                "offset", "fetch", "into"}


def named(found):
    """The words of a query with a name for every column that has a placeholder and no name."""
    depth, item, out, count = 0, None, [], 0

    def close():
        nonlocal count
        solid = [word for word in found[item:at] if word.kind != "space"]
        has = any(word.text.startswith("<< p") for word in solid)
        last, before = (solid[-1] if solid else None), (solid[-2] if len(solid) > 1 else None)
        is_named = before is not None and last.kind in ("name", "quoted") and last.name != "end" and (
            before.name in ("as", "end") or before.kind in ("text", "number", "name", "quoted", "placeholder")
            or before.text in (")", "]", "}"))
        if has and not is_named:
            count += 1
            end = len(out)
            while end and out[end - 1].kind == "space":
                end -= 1
            out.insert(end, Word("name", f" AS made_{count}"))

    for at, word in enumerate(found):
        if word.kind == "sign" and word.text in "([{":
            depth += 1
        elif word.kind == "sign" and word.text in ")]}":
            depth -= 1
        if item is not None and depth == 0 and (word.text in (",", ";") or word.name in END_OF_ITEMS):
            close()
            item = at + 1 if word.text == "," else None
        out.append(word)
        if word.name == "select" and depth == 0:
            item = at + 1
    at = len(found)
    if item is not None and depth == 0:
        close()
    return out


def with_placeholders(sql):
    """The query with a placeholder for every literal, and the literals by their names."""
    found = words(sql)
    out, by_name, at = [], {}, 0
    for literal in literals(found):
        out.extend(found[at:literal.begin])
        name = f"p{len(by_name) + 1}"
        by_name[name] = literal
        out.append(Word("placeholder", f"<< {name} >>"))
        at = literal.end
    out.extend(found[at:])
    return "".join(word.text for word in named(out)), by_name


def with_types(sql, by_name):
    """The query with the types of these literals written behind the names of their placeholders."""
    def typed(found):
        literal = by_name.get(found.group(1))
        return f"<< {found.group(1)}: {type_of(literal.json)} >>" if literal else found.group()
    return re.sub(r"<< (p\d+) >>", typed, sql)


def type_of(json_text):
    """The type that a literal has by itself."""
    value = json.loads(json_text)
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "text"
    return "bigint" if isinstance(value, int) and -2**63 <= value < 2**63 else "double"
