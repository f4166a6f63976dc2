SELECT id FROM types WHERE single = << x >>
