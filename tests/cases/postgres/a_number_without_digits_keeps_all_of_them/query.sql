SELECT loose, exact, rough FROM t ORDER BY id
