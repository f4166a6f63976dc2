SELECT id
FROM orders
-- error: [invalid-default]
WHERE quantity >= << a = quantity >>

-- error: [invalid-default]
  OR quantity >= << b = quantity + 1 >>

-- error: [invalid-default]
  OR quantity >= << c = orders.quantity >>

-- error: [invalid-default]
  OR status = << d = "open" >>

-- error: [invalid-default]
  OR day >= << e = curent_date - 7 >>
