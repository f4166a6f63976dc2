/*---
params:
  statuses:
    allowed_values: [open, shipped]
    default:
      - open
      # error: [default-not-allowed]
      - shiped
---*/
SELECT id FROM orders WHERE status IN << statuses >>
