-- error: [invalid-query]
SELECT abs(quantity) OVER () AS n FROM orders WHERE price > << least >>
