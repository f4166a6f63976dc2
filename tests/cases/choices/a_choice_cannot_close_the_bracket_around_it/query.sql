/*---
params:
  x:
    choices:
      good: price
      # error: [syntax-error]
      bad: price) + (quantity
---*/
SELECT abs(<< x >>) AS x FROM orders
