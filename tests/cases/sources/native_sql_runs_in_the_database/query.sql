/*---
source: shop
columns: { Note: { type: json, description: What else is known of it. } }
---*/
SELECT o.OrderId, c.Name, o.Total, o.Placed, o.Due, o.Paid, o.Note
FROM Orders AS o LEFT JOIN Customers AS c USING (CustomerId)
WHERE o.Status = << status: text >>
ORDER BY o.OrderId
