/*---
params: { address: { from: claim.email, format: email } }
---*/
-- calls: one row, twice not permitted
SELECT << address: text >> AS address
