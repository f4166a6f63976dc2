/*---
params:
  since: { minimum: "2024-01-01", default: "2024-01-01T05:00:00Z" }
  # error: [invalid-default]
  until: { minimum: "2024-01-01", default: "2024-01-01T04:59:59Z" }
---*/
SELECT << since: timestamptz >> AS since, << until: timestamptz >> AS until
