SELECT id, instant FROM types WHERE instant = << at >>
