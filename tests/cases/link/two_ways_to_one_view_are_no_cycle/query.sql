SELECT m.id FROM middle AS m JOIN base AS b ON b.id = m.id WHERE m.id = << id >>
