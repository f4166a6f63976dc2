/*---
params:
  # error: [default-not-allowed]
  city: { default: Paris, allowed_values: { query: SELECT city FROM customers } }
  status: { allowed_values: { query: SELECT status FROM orders } }
  # error: [default-not-allowed]
  statuses: { default: [open, shiped], allowed_values: { query: SELECT status FROM orders } }
---*/
SELECT id
FROM orders
-- error: [default-not-allowed]
WHERE status = << status = 'Open' >> AND note = << city >> AND status IN << statuses >>
