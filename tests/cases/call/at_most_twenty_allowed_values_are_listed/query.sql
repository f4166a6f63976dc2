/*---
params:
  word:
    allowed_values: [one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty, many, more]
---*/
SELECT << word >> AS word
