SELECT id
FROM orders
WHERE price > 1
  -- warning: [null-comparison]
  AND status NOT IN (<< status? >>, << other? >>)
  -- warning: [null-comparison]
  AND price > << factor: double >> * << least?: double >>
