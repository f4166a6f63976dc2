/*---
description: Orders whose customer is one of some words.
source: shop
params: { words: { description: Words of JSON. } }
---*/
SELECT id FROM orders WHERE customer IN (SELECT value FROM json_each(<< words: text >>))
