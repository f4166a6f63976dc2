SELECT o.id
FROM orders AS o
WHERE o.price > 0
  [[ AND o.id > << least >> ]]
  -- error: [cannot-run]
  [[ AND o.price > (SELECT avg(b.price) FROM orders AS b WHERE b.id < o.id AND b.id > << after >>) ]]
