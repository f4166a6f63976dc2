SELECT count(*) AS n FROM orders WHERE quantity > << least >>
