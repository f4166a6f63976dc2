/*---
params: { c: { description: Third. }, a: { description: Second. }, b: { description: First. } }
---*/
SELECT id FROM orders WHERE status = << b >> AND note = << a >> AND id = << c >> AND quantity > << c >>
