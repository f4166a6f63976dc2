/*---
description: Orders in any order.
annotations:
  # error: [invalid-setting]
  read_only: false
  # error: [invalid-setting]
  destructive: true
  # error: [invalid-setting]
  idempotent: true
  open_world: false
---*/
SELECT id, random() AS sorted_by FROM orders WHERE id = << id >>
