/*---
kind: view
params:
  # error: [choices-differ]
  by: { choices: { status: status, customer: customer_id } }
---*/
SELECT << by >> AS key FROM orders
