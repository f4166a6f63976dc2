/*--- # error: [invalid-value]
enabled: # error: [invalid-value]
strict: # error: [invalid-value]
timeout: # error: [invalid-value]
result_limit: # error: [invalid-value]
scopes:
tags: []
params:
  status:
    from: # error: [invalid-value]
  least:
    description: Least total. # error: [invalid-value]
    maximum: # error: [invalid-value]
    allowed_values: # error: [invalid-value]
    required: # error: [invalid-value]
    type:
---*/
SELECT id FROM orders WHERE status = << status >> AND total > << least >>
