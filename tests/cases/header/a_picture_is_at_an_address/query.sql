/*---
icons:
  # error: [invalid-value]
  - src: file:///etc/order.png
  - src: https://example.com/order.png
    # error: [invalid-value]
    sizes: [48]
---*/
SELECT id FROM orders
