/*---
description: Something.
source: app
max_changes: 3
params:
  rows:
    description: Rows.
    # error: [invalid-setting]
    pattern: x
    # error: [invalid-setting]
    required: false
    # error: [invalid-setting]
    max_items: 4
    # error: [invalid-setting]
    default: []
  # error: [unused-parameter]
  rows.titel: { max_length: 3 }
  # error: [invalid-setting]
  rows.body: { default: { sql: lower('A') } }
---*/
INSERT INTO notes (title, body) VALUES << rows >>
