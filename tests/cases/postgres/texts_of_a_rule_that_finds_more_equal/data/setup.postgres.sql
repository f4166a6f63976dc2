DROP SCHEMA IF EXISTS texts_of_a_rule_that_finds_more_equal CASCADE;
CREATE SCHEMA texts_of_a_rule_that_finds_more_equal;
SET search_path = texts_of_a_rule_that_finds_more_equal;
CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE t (id int PRIMARY KEY, x text COLLATE folded NOT NULL);
INSERT INTO t VALUES (1, 'Ann'), (2, 'ann'), (3, 'ANN'), (4, 'bob');
