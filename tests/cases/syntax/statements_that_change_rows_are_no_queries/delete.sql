-- error: [not-a-query]
DELETE FROM orders WHERE id = << id >>
