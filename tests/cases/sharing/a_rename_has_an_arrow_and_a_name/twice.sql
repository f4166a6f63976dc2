SELECT id
-- error: [invalid-query]
FROM cheap(most => << a >>, most => << b >>)
