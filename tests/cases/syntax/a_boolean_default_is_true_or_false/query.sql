SELECT id
FROM customers
-- error: [invalid-placeholder]
WHERE vip = << vip = yes >>

-- error: [invalid-placeholder]
  OR vip = << other: boolean = No >>

-- error: [invalid-placeholder]
  OR name = << name: text = no >>
