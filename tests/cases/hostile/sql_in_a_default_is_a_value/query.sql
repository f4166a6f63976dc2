/*---
params: { b: { default: "'; DROP TABLE orders; --" } }
---*/
SELECT id, << b: text >> AS b FROM orders WHERE note = << a = ''' OR 1=1 --' >> ORDER BY id
