/*---
source: shop
columns:
  depth: { type: bigint }
---*/
WITH RECURSIVE inside(PartId, Name, depth) AS (
  SELECT PartId, Name, 0 FROM Parts WHERE Name = << whole: text >>
  UNION ALL
  SELECT p.PartId, p.Name, i.depth + 1 FROM Parts p JOIN inside i ON p.WholeId = i.PartId
)
SELECT PartId, Name, depth FROM inside ORDER BY depth, PartId
