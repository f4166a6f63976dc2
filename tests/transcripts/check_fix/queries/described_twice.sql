/*---
description: The key that was meant is there already.
descripton: A second one would not be YAML.
---*/
SELECT id FROM orders ORDER BY id
