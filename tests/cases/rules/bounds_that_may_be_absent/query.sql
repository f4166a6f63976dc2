SELECT id
FROM orders
-- warning: [null-comparison]
WHERE quantity BETWEEN << least? >> AND << most? >>
  -- warning: [null-comparison]
  AND price BETWEEN << cheapest >> AND << dearest? >>
  -- warning: [null-comparison]
  AND day BETWEEN << since? >> AND DATE '2024-12-31'
  -- warning: [null-comparison]
  AND (id BETWEEN << first? >> AND << last? >>)
