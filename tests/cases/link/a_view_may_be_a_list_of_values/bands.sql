/*--- { kind: view } ---*/
VALUES ('cheap', 10.0), ('dear', 100.0)
