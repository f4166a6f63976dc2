/*---
title: "" # error: [invalid-value]
tags: [""] # error: [invalid-value]
scopes: [] # error: [invalid-value]
---*/
SELECT id FROM orders
