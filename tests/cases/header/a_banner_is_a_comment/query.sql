/*------------------
  Orders by status.
------------------*/
SELECT id FROM orders WHERE status = << status >>
