/*--- { description: Orders of one status., params: { least: { description: Smallest quantity. } } } ---*/
SELECT id
FROM orders
-- warning: [missing-description]
WHERE status = << status >>
  AND quantity >= << least >>
