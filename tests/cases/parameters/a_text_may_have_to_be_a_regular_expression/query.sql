/*---
params: { pattern: { format: regex } }
---*/
-- What the engine cannot run is refused as an argument, before the query: look-around and back-references too.
-- calls: 5 10, 10, 5 10 again, then refused
SELECT id FROM orders WHERE note ~ << pattern >> ORDER BY id
