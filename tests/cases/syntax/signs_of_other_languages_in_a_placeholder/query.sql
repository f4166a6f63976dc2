SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE day >= << since::date >>

-- error: [invalid-placeholder]
  AND quantity > << quantity := 1 >>

-- error: [invalid-placeholder]
  AND price > << price == 1 >>
