/*---
description: "Quotes \" and \\, a line\nbreak, <tags>, ${x}, {{ y }}, 日本語 😀"
---*/
SELECT id FROM orders
