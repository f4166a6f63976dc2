SELECT o.id
FROM orders AS o
WHERE o.price > 0
  [[ AND o.id > << least >> ]]
  -- error: [cannot-run]
  [[ AND o.id IN (SELECT b.id FROM orders AS b WHERE b.id < o.id UNION SELECT c.id FROM orders AS c WHERE c.id > << after >> AND c.id < o.id) ]]
