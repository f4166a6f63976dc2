-- warning: [missing-description]
SELECT id
FROM orders
-- warning: [missing-description]
WHERE status = << status >>
