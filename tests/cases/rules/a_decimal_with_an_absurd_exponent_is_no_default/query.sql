SELECT id
FROM types
-- error: [invalid-default]
WHERE amount = << amount = '1e2147483647' >>
