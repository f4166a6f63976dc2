/*---
icons: [{ src: "https://example.com/order.png" }]
---*/
SELECT id FROM orders
