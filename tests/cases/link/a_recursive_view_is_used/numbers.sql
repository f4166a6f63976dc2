/*--- { kind: view } ---*/
WITH RECURSIVE counting AS (
  SELECT 1 AS n
  UNION ALL
  SELECT n + 1 FROM counting WHERE n < << most >>
)
SELECT n FROM counting
