/*---
description: Echoes values that are listed.
params:
  words: { allowed_values: ["\u002a/", "\"\"\"", "\\", "'", "${x}", "`"] }
  numbers: { allowed_values: [1, -2] }
  many: { allowed_values: [v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19] }
---*/
SELECT << words: text >> AS words, << numbers: int = 1 >> AS numbers, << many: text[] = ['v01'] >> AS many
