/*---
source: shop
---*/
SELECT id, round((place <-> << place: text >>)::numeric, 2)::float8 AS far, span OPERATOR(pg_catalog.<<) << below: text >> AS is_below
FROM native_an_operator_with_a_schema_takes_a_value.t WHERE id OPERATOR(pg_catalog.>=) << least >> AND name operator ( pg_catalog.~ ) << pattern >> ORDER BY place <-> << place: text >>, id
