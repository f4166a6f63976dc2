/*--- { params: { x: { choices: { id: id, rare: "nullif(id, 2)" } } } } ---*/
SELECT id, << x >> AS value FROM orders WHERE id <= 3 ORDER BY id
