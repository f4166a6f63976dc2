-- error: [not-a-query]
SHOW TABLES
