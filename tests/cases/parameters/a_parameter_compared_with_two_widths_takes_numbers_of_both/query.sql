-- calls: 19, 19, 15, refused
SELECT count(*) AS n FROM orders WHERE quantity >= << least >> AND price >= << least >>
