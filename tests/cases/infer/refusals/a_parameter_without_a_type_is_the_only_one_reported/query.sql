SELECT
  day + << period >> AS later,
  -- error: [cannot-infer-type]
  << label >> AS label
FROM orders
WHERE status = << status >> AND quantity + << more >> > 3
