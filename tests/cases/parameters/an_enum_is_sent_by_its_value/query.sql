/*---
params: { colour: { allowed_values: [red, green, blue] } }
---*/
-- calls: 1 4, none, four refusals
SELECT id FROM items WHERE array_has(tags, << colour >>) ORDER BY id
