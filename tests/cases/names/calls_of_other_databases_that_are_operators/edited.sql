-- What the edits of the other files make of them.
SELECT id, note IS NULL AS without_note, 10 * ((quantity + 1) % << by >>) AS rest, id % 2 AS odd
FROM orders
WHERE NOT (lower(note)) IS NULL
