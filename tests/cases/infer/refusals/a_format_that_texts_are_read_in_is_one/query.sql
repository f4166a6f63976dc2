-- error: [invalid-query]
SELECT strptime(status, '%Q') AS at FROM orders WHERE id = << id >>
