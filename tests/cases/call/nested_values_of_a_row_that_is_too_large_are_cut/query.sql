/*---
expose: [table_format]
---*/
SELECT id,
  array_repeat(id, 900) AS numbers,
  named_struct('a', repeat('x', 900), 'b', make_array(repeat('y', 700), 'z')) AS record,
  arrow_cast(repeat('q', 1500), 'Binary') AS raw,
  NULL::text AS nothing
FROM orders WHERE id = << id >>
