/*---
columns: { price: { description: Price in euros. } }
---*/
SELECT id, price FROM shipped
