-- calls: 6, 0
SELECT count(*) AS n
FROM orders
WHERE substring(status FROM << start >> FOR << width >>) = 'pe'
  AND overlay(status PLACING << piece >> FROM << at >> FOR 1) = 'Open'
  AND position(<< needle >> IN status) = 1
  AND trim(BOTH << edge >> FROM status) = 'ope'
