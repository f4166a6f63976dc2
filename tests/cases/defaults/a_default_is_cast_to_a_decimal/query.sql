/*---
params:
  most: { type: "decimal(12,2)", default: { sql: "CAST('10.05' AS decimal(12,2)) * 2" } }
---*/
SELECT << most >> AS most, << share: decimal(4,2) = 0.33 + 0 >> AS share, << whole: decimal(6,1) = 2 + 3 >> AS whole
