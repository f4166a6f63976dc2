SELECT id,
       sum(quantity) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW
                           -- error: [syntax-error]
                           EXCLUDE CURRENT ROW) AS others
FROM orders
