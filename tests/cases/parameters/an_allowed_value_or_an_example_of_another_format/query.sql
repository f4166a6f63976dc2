/*---
params:
  # error: [invalid-allowed-value]
  host: { format: hostname, allowed_values: [localhost, "a b"] }
  # error: [invalid-allowed-value]
  address: { format: ipv4, examples: ["256.0.0.1"] }
---*/
SELECT id FROM orders WHERE note = << host >> OR note = << address >>
