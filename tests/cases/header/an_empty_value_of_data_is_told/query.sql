/*---
description: Orders.
meta: { owner: , note: null } # error: [invalid-value]
tests:
  - name: none
    arguments: { status: } # error: [invalid-value]
    expect:
      rows:
        - id: # error: [invalid-value]
          status: null
---*/
SELECT id FROM orders WHERE status = << status >>
