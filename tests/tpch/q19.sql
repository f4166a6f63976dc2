/*---
description: Revenue of three kinds of parts, each of a brand, containers, quantities and sizes, shipped in one way.
params:
  small_brand: { description: Brand of the small parts. }
  small_containers: { description: Containers of the small parts. }
  small_quantity: { description: "Least quantity of the small parts, at most 10 more." }
  small_size: { description: Largest size of the small parts. }
  medium_brand: { description: Brand of the medium parts. }
  medium_containers: { description: Containers of the medium parts. }
  medium_quantity: { description: "Least quantity of the medium parts, at most 10 more." }
  medium_size: { description: Largest size of the medium parts. }
  large_brand: { description: Brand of the large parts. }
  large_containers: { description: Containers of the large parts. }
  large_quantity: { description: "Least quantity of the large parts, at most 10 more." }
  large_size: { description: Largest size of the large parts. }
  modes: { description: Modes of shipment. }
  instruction: { description: Instruction of shipment. }
result_limit: none
---*/
SELECT sum(l_extendedprice * (1 - l_discount)) AS revenue
FROM lineitem, part
WHERE (
    p_partkey = l_partkey
    AND p_brand = << small_brand >>
    AND p_container IN << small_containers >>
    AND l_quantity >= << small_quantity >> AND l_quantity <= << small_quantity >> + 10
    AND p_size BETWEEN 1 AND << small_size >>
    AND l_shipmode IN << modes >>
    AND l_shipinstruct = << instruction >>
  )
  OR (
    p_partkey = l_partkey
    AND p_brand = << medium_brand >>
    AND p_container IN << medium_containers >>
    AND l_quantity >= << medium_quantity >> AND l_quantity <= << medium_quantity >> + 10
    AND p_size BETWEEN 1 AND << medium_size >>
    AND l_shipmode IN << modes >>
    AND l_shipinstruct = << instruction >>
  )
  OR (
    p_partkey = l_partkey
    AND p_brand = << large_brand >>
    AND p_container IN << large_containers >>
    AND l_quantity >= << large_quantity >> AND l_quantity <= << large_quantity >> + 10
    AND p_size BETWEEN 1 AND << large_size >>
    AND l_shipmode IN << modes >>
    AND l_shipinstruct = << instruction >>
  )
