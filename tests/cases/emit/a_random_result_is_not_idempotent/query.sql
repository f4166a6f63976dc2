/*--- { description: A random order. } ---*/
SELECT id FROM orders ORDER BY random() LIMIT 1
