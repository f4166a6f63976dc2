SELECT
-- error: [invalid-query]
    interval << span: text >> AS i
