SELECT overlay(note PLACING << piece: text >> FROM << position: bigint >>) AS overlaid
FROM orders
