"""SQL as a list of words, and the literals among them."""

import json
import re

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
                   "cast_to_type": {1}, "variant_get": {1}}


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
    """A literal: the words it is written in, and the JSON of its value."""

    def __init__(self, begin, end, json_text):
        self.begin, self.end, self.json = begin, end, json_text


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
            calls.append([before.text.lower() if is_call else "(", 0, clause])
            clause = None
        elif word.text == ")" and calls:
            clause = calls.pop()[2]
        elif word.text in "[{":
            calls.append([word.text, 0, clause])
        elif word.text in "]}" and calls:
            clause = calls.pop()[2]
        elif word.text == "," and calls:
            calls[-1][1] += 1
        elif word.kind == "name":
            name = word.name
            if name == "by" and before is not None and before.name in ("order", "group", "partition"):
                clause = "positions"
            elif name in ("select", "limit", "offset", "from", "where", "having", "union", "rows", "range", "groups"):
                clause = name
        if at < skip_to or word.kind not in ("text", "number"):
            continue
        around = calls[-1] if calls else ["", 0, None]
        if around[0] in TYPES_WITH_DIGITS:
            continue
        if around[1] in NAMED_ARGUMENTS.get(around[0], ()):
            continue
        if before is not None and before.text in (".", "as"):
            continue
        # A field of a record, and the name of one that is made.
        if word.kind == "text" and around[0] == "[" and calls and after is not None and after.text == "]" \
                and is_subscript(found, solid, here):
            continue
        if after is not None and after.text == ":" and around[0] == "{":
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
            result.append(Literal(begin, end, json.dumps(value)))
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
            result.append(Literal(begin, end, sign + number(text)))
    return result


def is_subscript(found, solid, here):
    """Whether the bracket in front of a word stands behind a value."""
    if here < 2 or found[solid[here - 1]].text != "[":
        return False
    ahead = found[solid[here - 2]]
    return ahead.text in (")", "]") or ahead.kind == "quoted" or (
        ahead.kind == "name" and ahead.name not in BEFORE_AN_OPERAND | {"array"})


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
    """The query with a placeholder for every literal, and the JSON of each by its name."""
    found = words(sql)
    places = literals(found)
    out, values, at = [], {}, 0
    for place in places:
        out.extend(found[at:place.begin])
        name = f"p{len(values) + 1}"
        values[name] = place.json
        out.append(Word("placeholder", f"<< {name} >>"))
        at = place.end
    out.extend(found[at:])
    return "".join(word.text for word in named(out)), values
