SELECT count(*) AS n
-- warning: [unfiltered-scan]
FROM orders
WHERE true
  [[ AND status = << status >> ]]
