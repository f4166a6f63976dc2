SELECT id
FROM types
-- error: [invalid-default]
WHERE small = << small = 40000 >>
