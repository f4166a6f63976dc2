-- calls: 1
SELECT from_unixtime(<< seconds >>, << zone >>) AS at
