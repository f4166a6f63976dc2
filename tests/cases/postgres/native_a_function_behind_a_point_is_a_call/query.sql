/*---
source: shop
---*/
SELECT (f).pg_read_file AS text, -- error: [foreign-statement]
  s."pg_sleep", -- error: [foreign-statement]
  o.lo_price
FROM (VALUES ('/etc/hostname')) AS f, (VALUES (5.0)) AS s, (VALUES (1)) AS o(lo_price)
