-- error: [cannot-infer-type]
SELECT << a >> AS a,

-- error: [cannot-infer-type]
  << b >> AS b
FROM orders
