SELECT id
FROM orders
WHERE price >= <<
    least -- the smallest price
    : double
    = 1.5
  >>
