/*---
# warning: [instructing-description]
title: "Orders 👩‍💻 of‍ a state"
# warning: [instructing-description]
description: Orders by sta​tus.
params:
  status:
    # warning: [instructing-description]
    description: "State of the order\u202e."
columns:
  id: { description: "Number of the order 👩‍💻" }
---*/
SELECT id FROM orders WHERE status = << status >>
