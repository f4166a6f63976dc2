/*---
source: shop
---*/
SELECT upper(Name) || '!' || CustomerId AS shout, CAST(CustomerId AS TEXT) AS written, round(CustomerId / 2.0, 1) AS half,
  row_number() OVER w AS place, CAST(Mail IS NULL AS INTEGER) AS is_without
FROM Customers WINDOW w AS (ORDER BY Name DESC) ORDER BY CustomerId
