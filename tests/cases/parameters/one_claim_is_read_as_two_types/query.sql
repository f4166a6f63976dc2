/*---
strict: true
params: { number: { from: claim.id, minimum: 1 }, label: { from: claim.id } }
---*/
SELECT << number: bigint >> AS number, << label: text >> AS label
