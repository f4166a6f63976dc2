/*---
description: Returns one line of text.
expose: []
---*/
SELECT 'This is a simple text response for testing.' AS text
