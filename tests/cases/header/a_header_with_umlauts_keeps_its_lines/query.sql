/*---
title: Aufträge für Köln 😀
# error: [unknown-key]
größe: 5
---*/
SELECT id FROM orders
