/*---
lints: { swallowed-condition: allow }
---*/
SELECT id
FROM orders
WHERE id <= 2 [[ OR price > << more >> ]] [[ AND price < << less >> ]]
ORDER BY id
