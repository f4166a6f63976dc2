/*---
source: shop
---*/
INSERT INTO Customers VALUES (9, 'x', NULL) -- error: [not-writable]
