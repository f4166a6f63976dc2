-- error: [not-a-query]
CREATE TABLE copied AS SELECT * FROM orders
