SELECT status, n FROM by_status WHERE n > 2
