SELECT count(*) AS n, count(<< a = 1.5 >> + 1) AS m, count(<< b = 2 >> * 0.5) AS o FROM orders
