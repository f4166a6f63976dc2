-- calls: 3, 11
SELECT count(*) AS n
FROM orders
WHERE power(<< base >>, 2) > quantity
  AND sqrt(<< area >>) < quantity
  AND log(<< radix >>, price) > 0
