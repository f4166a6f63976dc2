SELECT id
FROM orders
-- error: [invalid-default]
WHERE status = << status = open >>

-- error: [invalid-default]
  OR status = << other = "it's open" >>
