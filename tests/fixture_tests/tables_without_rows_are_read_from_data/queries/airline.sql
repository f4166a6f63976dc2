/*---
description: An airline by its code.
params:
  carrier: { description: Carrier code. }
---*/
SELECT name FROM airlines WHERE carrier = << carrier >>
