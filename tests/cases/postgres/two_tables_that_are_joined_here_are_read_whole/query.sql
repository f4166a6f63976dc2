-- Each of them has more rows than the driver holds back, and all of them come over one connection, one table behind the other.
SELECT count(*) AS n, sum(ja.id) AS ids FROM jb JOIN ja ON ja.id = jb.a WHERE ja.id + 0 < << below: int >>
