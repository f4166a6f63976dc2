DROP SCHEMA IF EXISTS names_that_need_quotes_are_quoted CASCADE;
CREATE SCHEMA names_that_need_quotes_are_quoted;
SET search_path = names_that_need_quotes_are_quoted;
CREATE TABLE "T b""l" ("od""d" int PRIMARY KEY, "select" text, "Größe" int, "a b" int);
INSERT INTO "T b""l" VALUES (1, 'x', 2, 3);
