"""Where in a query a literal stands: of those whose types are asked for, the places that tell none."""

LIST, MAP, RECORD, SELECTED, OTHER = "item of a list", "map", "record", "item of SELECT or VALUES", "other"
CALLS = {"make_array": LIST, "map": MAP, "make_map": MAP, "struct": RECORD, "named_struct": RECORD, "row": RECORD,
         "greatest": "greatest and least", "least": "greatest and least", "arrow_typeof": "arrow_typeof"}
# Brackets around an expression, behind nothing or a word.
AROUND = {"(", "select", "distinct", "then", "else"}


class Bracket:
    """A bracket that is open: the function that it belongs to, or itself, and what stands around it."""

    def __init__(self, name, clause, before, is_subscript=False):
        self.name, self.clause, self.before, self.is_subscript = name, clause, before, is_subscript
        # Of how many arguments the commas are behind.
        self.argument = 0


def place(open_brackets, clause):
    """The place behind these brackets, the innermost last, in a clause of the query inside of them."""
    at = len(open_brackets)
    while at and clause is None and open_brackets[at - 1].name in AROUND and open_brackets[at - 1].clause != "values":
        at -= 1
        clause = open_brackets[at].clause
    if clause is not None or not at:
        return SELECTED if clause == "select" else OTHER
    innermost = open_brackets[at - 1]
    if innermost.clause == "values" and innermost.name in ("(", "values"):
        return SELECTED
    if innermost.name == "{":
        return MAP if innermost.before == "map" else RECORD
    if innermost.name == "[":
        is_of_map = at > 1 and CALLS.get(open_brackets[at - 2].name) == MAP
        return OTHER if innermost.is_subscript else MAP if is_of_map else LIST
    return CALLS.get(innermost.name, OTHER)
