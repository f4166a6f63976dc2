SELECT count(- << a >>) AS n FROM orders
