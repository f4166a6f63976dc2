-- error: [cannot-infer-type]
SELECT << a >> AS a,

-- error: [cannot-infer-type]
  upper(<< b >>) AS b
FROM orders
