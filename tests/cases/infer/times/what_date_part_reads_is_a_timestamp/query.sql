SELECT count(*) AS n
FROM orders
WHERE date_part('year', << t >>) = quantity + 2022
