/*---
source: shop
columns:
  gift: { type: boolean }
  tag: { type: text }
  rank: { type: bigint }
---*/
SELECT o.OrderId, o.Note ->> '$.gift' AS gift, t.value AS tag, o.Note ->> 'rank' AS rank
FROM Orders o, json_each(o.Note, '$.tags') t
WHERE o.Note ->> << path: text >> IS NOT NULL AND t.value = << tag: text >>
ORDER BY o.OrderId
