/*--- { kind: view } ---*/
SELECT id FROM orders WHERE id < 3 UNION ALL SELECT id FROM orders WHERE id > 18 ORDER BY id DESC LIMIT 1
