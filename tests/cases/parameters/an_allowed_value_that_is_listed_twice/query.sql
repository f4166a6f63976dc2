/*---
params:
  # error: [invalid-allowed-value]
  id: { allowed_values: [1, 1, 2] }
  price:
    allowed_values:
      - 1
      - 2.5
      # error: [invalid-allowed-value]
      - 1.0
  day:
    # error: [invalid-allowed-value]
    allowed_values: [2024-01-02, "2024-01-03", "2024-01-02"]
  status: { allowed_values: [open, Open, shipped] }
---*/
SELECT id FROM orders WHERE id = << id >> AND price = << price >> AND day = << day >> AND status = << status >>
