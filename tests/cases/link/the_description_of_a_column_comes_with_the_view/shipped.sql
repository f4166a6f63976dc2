/*---
kind: view
columns: { id: { description: Number of the order. }, price: { description: In euros. } }
---*/
SELECT id, price FROM orders WHERE status = 'shipped'
