DROP SCHEMA IF EXISTS every_type_of_postgres_comes_out CASCADE;
CREATE SCHEMA every_type_of_postgres_comes_out;
SET search_path = every_type_of_postgres_comes_out;
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE DOMAIN postcode AS text CHECK (VALUE ~ '^[0-9]{5}$');
CREATE TABLE t (
    id int PRIMARY KEY, b boolean, i2 smallint, i4 integer, i8 bigint, f4 real, f8 double precision,
    n numeric(12,3), m money, x text, v varchar(10), c char(5), e mood, p postcode, u uuid, j json, jb jsonb,
    d date, h time, ts timestamp, tz timestamptz, iv interval, by bytea, ai int[], at text[], ip inet, r int4range
);
INSERT INTO t VALUES
    (1, true, -32768, -2147483648, -9223372036854775808, 1.5, 0.1, -123456789.125, '-12.34', 'é', 'ab', 'ab', 'happy', '12345',
     'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{"a": 1.10}', '{"a": 1.10}', '2024-02-29', '23:59:59.999999',
     '2024-03-31 12:30:00.000001', '2024-03-31 12:30:00+02', '1 year 2 mons -3 days 04:05:06.000007', '\x00ff', '{1,NULL,3}',
     '{"a b","c\"d"}', '10.0.0.1/8', '[1,5)'),
    (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
     NULL, NULL, NULL, NULL, NULL, NULL),
    (3, false, 0, 0, 0, 'Infinity', '-Infinity', 0, 0, '', '', '', 'sad', '00000', '00000000-0000-0000-0000-000000000000', 'null',
     'null', '0001-01-01', '00:00', '0001-01-01', '0001-01-01 00:00+00', '0', '', '{}', '{}', '::1', 'empty');
