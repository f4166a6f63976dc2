-- error: [duplicate-column]
SELECT id AS a, quantity AS a FROM orders WHERE status = << status >>
