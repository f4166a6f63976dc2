SELECT id
FROM customers
-- error: [invalid-default]
WHERE vip = << vip = yes >>

-- error: [invalid-default]
  OR vip = << other: boolean = No >>

-- error: [invalid-default]
  OR name = << name: text = no >>
