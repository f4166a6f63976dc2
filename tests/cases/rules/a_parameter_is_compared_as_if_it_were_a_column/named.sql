SELECT id
FROM orders
-- warning: [parameter-as-column]
WHERE << sort_column >> = 'open'
  -- warning: [parameter-as-column]
  AND 'open' = (<< field? >>)
ORDER BY id
