/*---
params:
  vat:
    # error: [invalid-default]
    default: 19%
  fee:
    # error: [invalid-default]
    default: 1,5
---*/
SELECT id,
       amount * << vat >> AS tax,
       amount + << fee >> AS net
FROM types
