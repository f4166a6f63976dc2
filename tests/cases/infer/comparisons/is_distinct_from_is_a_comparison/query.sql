-- In brackets: the parser takes all that follows IS DISTINCT FROM for its right side.
SELECT id FROM orders WHERE (status IS DISTINCT FROM << a >>) AND (quantity IS NOT DISTINCT FROM << b? >>)
