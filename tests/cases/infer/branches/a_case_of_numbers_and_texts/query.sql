SELECT
  -- error: [invalid-query]
  CASE WHEN id > 2 THEN quantity ELSE 'none' END AS a,
  -- error: [invalid-query]
  CASE WHEN id > 2 THEN quantity ELSE status END AS b,
  -- error: [invalid-query]
  CASE id WHEN 1 THEN '10' WHEN 2 THEN '-2.5' ELSE price END AS c,
  -- error: [invalid-query]
  CASE WHEN id > 2 THEN day ELSE status END AS d,
  -- error: [invalid-query]
  CASE WHEN id > 2 THEN day ELSE 'never' END AS e,
  CASE WHEN id > 2 THEN day ELSE '2024-01-31' END AS f,
  CASE WHEN id > 2 THEN 'none' WHEN id > 1 THEN NULL ELSE status END AS g,
  CASE WHEN id > 2 THEN CAST(quantity AS text) ELSE 'none' END AS h
FROM orders
WHERE customer_id = << customer >>
