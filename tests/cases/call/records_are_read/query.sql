SELECT id FROM items WHERE size = << size >>
