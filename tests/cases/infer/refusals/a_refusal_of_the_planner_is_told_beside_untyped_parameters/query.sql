-- error: [invalid-query]
SELECT status, count(*) AS orders FROM orders WHERE status = << status >>
