SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE status = << status = open >>

-- error: [invalid-placeholder]
  OR status = << other = "it's open" >>
