/*---
source: shop
---*/
SELECT max(Name) AS last, -- error: [unsupported-type]
  coalesce(Mail, '-') AS mail
FROM Customers GROUP BY CustomerId
