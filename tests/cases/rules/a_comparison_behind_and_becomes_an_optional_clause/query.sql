SELECT o.id
FROM orders AS o
-- warning: [null-comparison]
JOIN customers AS c ON c.id = o.customer_id AND c.city = << city? >>
WHERE o.price > 1
  -- warning: [null-comparison]
  AND o.status <> << status? >>
  -- warning: [null-comparison]
  AND o.quantity BETWEEN << least? >> AND << most? >>
  -- warning: [null-comparison]
  AND o.id NOT IN << ids? >>
