SELECT id FROM types WHERE small = << small >>
