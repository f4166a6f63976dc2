/*---
title: From the header
description: From the header.
result_limit: 10
params:
  status: { description: From the header., allowed_values: [open, shipped, returned] }
---*/
SELECT id FROM orders WHERE status = << status >>
