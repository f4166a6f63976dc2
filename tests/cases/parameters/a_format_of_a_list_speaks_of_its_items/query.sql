/*---
params: { addresses: { format: ipv4, max_items: 2 } }
---*/
-- calls: one row, none, refused at [1], too many
SELECT << addresses: text[] >> AS addresses
