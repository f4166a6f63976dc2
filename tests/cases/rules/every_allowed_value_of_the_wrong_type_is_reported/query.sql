/*---
params:
  day:
    allowed_values:
      - 2024-01-01
      # error: [invalid-allowed-value]
      - yesterday
      - 2024-02-29
      # error: [invalid-allowed-value]
      - 2023-02-29
---*/
SELECT id FROM orders WHERE day = << day >>
