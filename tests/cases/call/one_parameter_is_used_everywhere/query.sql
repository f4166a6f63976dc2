SELECT << status >> AS wanted, count(*) AS orders, count(*) FILTER (WHERE note = << status >>) AS notes
FROM orders
WHERE status = << status >>
