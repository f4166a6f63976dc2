/*---
source: shop
---*/
SELECT o.OrderId, c.Name FROM Orders AS o JOIN Customers AS c ON c.CustomerId = o.CustomerId
WHERE o.Status = << status? >> -- warning: [null-comparison]
  AND (<< name >> IS NULL OR c.Name = << name >>) -- warning: [hand-written-clause]
  AND c.Mail = NULL -- warning: [null-comparison]
  AND o.Paid IS << paid? >>
  AND (o.Total >= << least >> [[ OR o.Due > << due >> ]] AND o.Placed > '2024-01-01') -- warning: [swallowed-condition]
ORDER BY o.OrderId LIMIT 10
