SELECT id FROM types WHERE instant = << at >>
