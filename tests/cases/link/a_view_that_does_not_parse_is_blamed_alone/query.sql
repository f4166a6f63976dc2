SELECT id FROM shipped WHERE id = << id >>
