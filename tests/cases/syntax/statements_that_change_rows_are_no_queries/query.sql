-- error: [not-a-query]
UPDATE orders SET status = << status: text >>
