SELECT id
FROM orders FULL JOIN customers USING (id)
-- error: [unknown-column]
WHERE customers.id IS NULL AND id > << id >>
