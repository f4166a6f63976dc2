/*---
params:
  a: { allowed_values: { query: WITH c AS (SELECT city FROM customers WHERE vip) SELECT city FROM c } }
  b: { allowed_values: { query: SELECT city FROM customers UNION SELECT name FROM customers } }
  c:
    allowed_values:
      query: |
        -- customers with many orders
        SELECT c.name
        FROM customers AS c
        JOIN orders AS o ON o.customer_id = c.id
        GROUP BY c.name
        HAVING count(*) > 3;
  d: { allowed_values: { query: "VALUES ('x'), ('y')" } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b, << c: text >> AS c, << d: text >> AS d
