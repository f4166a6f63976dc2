/*---
source: shop
---*/
SELECT true AS b, 1::smallint AS i2, 2 AS i4, 3::bigint AS i8, 1.5::real AS f4, 0.1::float8 AS f8, 12.345::numeric(10,3) AS n,
  0.1 + 0.20 AS any_number, 'x'::varchar(3) AS v, 'y '::char(3) AS c, '\x00ff'::bytea AS y, date '2024-03-31' AS d,
  time '12:30' AS t, timestamp '2024-03-31 10:00' AS ts, timestamptz '2024-03-31 10:00+02' AS tz, interval '1 month 2 days' AS span,
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS u, '{"a": [1]}'::jsonb AS j, '{"a":1}'::json AS k, ARRAY[1, NULL, 3] AS a, ARRAY['x', 'y'] AS texts,
  'ok'::native_every_type_of_the_server.mood::text AS m, 7::native_every_type_of_the_server.small AS p, int4range(1, 5)::text AS r
