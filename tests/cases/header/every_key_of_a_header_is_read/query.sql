/*---
name: Orders of a status
title: Orders by status
description: |
  Orders of one status.
  Newest first.
tags: [orders, status]
version: "1.2"
meta: { owner: shop }
enabled: true
params:
  status:
    description: The status of the order.
    type: text
    default: open
    allowed_values: [open, shipped, returned, cancelled]
    examples: [shipped]
  least: { minimum: 1, maximum: 1000, description: Smallest quantity. }
  below: { exclusive_minimum: 0, exclusive_maximum: 1e6, description: Upper bound of the price. }
  words: { min_length: 2, max_length: 40, pattern: "^[^%]+$", description: Words of the note. }
  ids: { min_items: 1, max_items: 10, description: Numbers of orders. }
result_limit: 50
default_limit: 10
table_format: toon
expose: [limit]
timeout: 1500ms
kind: tool
columns:
  id: { description: Number of the order. }
count_total: true
strict: true
---*/
SELECT id, price
FROM orders
WHERE status = << status >>
  AND quantity >= << least >>
  AND price < << below >>
  [[ AND note LIKE << words >> ]]
  [[ AND id IN << ids >> ]]
ORDER BY id DESC
