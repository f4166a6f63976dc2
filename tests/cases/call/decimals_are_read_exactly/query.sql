SELECT id, amount FROM types WHERE amount = << amount >>
