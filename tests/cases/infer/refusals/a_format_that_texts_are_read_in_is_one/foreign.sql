-- error: [invalid-query]
SELECT strptime(status, 'YYYY-MM-DD') AS at FROM orders WHERE id = << id >>
