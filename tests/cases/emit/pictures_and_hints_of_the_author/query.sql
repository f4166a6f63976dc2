/*---
description: Every order.
icons:
  - { src: "https://example.com/order.png", mime_type: image/png, sizes: [48x48], theme: light }
  - { src: "data:image/svg+xml;base64,PHN2Zy8+", sizes: [any] }
annotations: { read_only: true, idempotent: false, open_world: true }
---*/
SELECT id FROM orders
