SELECT id FROM orders WHERE status = << status >>;;
-- nothing more
;
