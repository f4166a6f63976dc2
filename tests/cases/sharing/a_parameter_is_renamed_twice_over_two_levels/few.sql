/*--- { kind: view } ---*/
SELECT id FROM cheap(most => << middle >>) WHERE quantity >= 5
