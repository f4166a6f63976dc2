-- error: [invalid-query]
SELECT corr(DISTINCT quantity, price) AS c FROM orders WHERE price > << least >>
