/*---
params:
  metric:
    choices:
      price: price
      # error: [choices-differ]
      status: status
---*/
SELECT id FROM orders WHERE << metric >> = << value >>
