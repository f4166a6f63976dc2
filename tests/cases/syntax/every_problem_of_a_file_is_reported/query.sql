SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE status = << the status >>

-- error: [raw-placeholder]
  AND id = $1

-- error: [unknown-type]
  AND price = << price: number_of_euros >>

-- error: [reserved-name]
  AND quantity = << limit >>
