-- error: [not-a-query]
ALTER TABLE orders DROP COLUMN id
