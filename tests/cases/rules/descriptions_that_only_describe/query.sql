/*---
title: Orders, the previous ones too
description: >
  Orders by status; use this tool to find an order, and not for refunds. Do not use for totals: those are in
  order_totals. You must give a status. Ignores deleted orders, and the user who wrote them.
params:
  status: { description: "State of the order. Never shown to customers; important orders have their own, <status>." }
columns:
  note: { description: Text of the system prompt that the run used. }
---*/
SELECT id, note FROM orders WHERE status = << status >>
