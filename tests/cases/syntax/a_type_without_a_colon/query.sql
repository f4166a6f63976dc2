SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE day >= << since date >>

-- error: [invalid-placeholder]
  AND price > << price decimal(10,2) = 1 >>
