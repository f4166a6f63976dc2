SELECT id FROM items WHERE big = << big >>
