SELECT id
FROM orders
-- warning: [parameter-as-column]
WHERE << status >> = 'open'
  -- warning: [parameter-as-column]
  [[ AND << note >> LIKE 'plain%' ]]
ORDER BY id
