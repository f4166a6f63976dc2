-- error: [duplicate-column]
SELECT items.size.w, id AS w FROM items WHERE id > << id >>
