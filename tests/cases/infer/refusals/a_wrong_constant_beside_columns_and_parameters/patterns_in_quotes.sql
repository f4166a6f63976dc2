SELECT
  -- error: [cannot-run]
  regexp_replace(<< text: text >>, '(a', 'b') AS a,
  regexp_replace(<< text >>, '[(]', 'b') AS b
FROM orders
WHERE << text >> SIMILAR TO '[(]%'
