/*---
descripton: The same key in two spellings.
desciption: Both mended, it would not be YAML.
---*/
SELECT id FROM orders ORDER BY id
