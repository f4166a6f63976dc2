SELECT upper(<< a: text >>) AS upper, lower(<< a >>) AS lower FROM orders
