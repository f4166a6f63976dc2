SELECT id
-- error: [raw-placeholder]
FROM {{ ref('orders') }}
ORDER BY id
