/*---
source: shop
---*/
SELECT id, ST_AsText(p) AS text,
  p, -- error: [unsupported-type]
  g -- error: [unsupported-type]
FROM native_places_of_mysql_are_told.t ORDER BY id
