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
       -- error: [invalid-default]
       amount * << rate = 1,1 >> AS gross,
       -- error: [invalid-default]
       amount * << share = 110% >> AS part,
       -- error: [invalid-default]
       amount > << least = 1,100 >> AS is_large,
       amount * << vat >> AS tax,
       amount + << fee >> AS net
FROM types
