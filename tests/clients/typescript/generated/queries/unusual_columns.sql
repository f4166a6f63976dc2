/*---
description: |
  Ends */ here.

  @deprecated """quotes""" and ${x} and `code`, a \ at the end of a line \
  - a | b
columns:
  "a b": { description: "Ends \u002a/ here, and \"\"\" there \\" }
---*/
SELECT
  1 AS "a b", 2 AS "a|b", 3 AS "Größe", 4 AS "$1", 5 AS "a""b", 6 AS "__proto__", 7 AS "*/", 8 AS """""""", 9 AS "a\",
  10 AS "from", 11 AS "int", 12 AS "None", 13 AS "1st", 14 AS "keys"
