/*---
source: shop
---*/
SELECT id, s||<< s: text >> AS joined, -<< n: bigint >> AS less, << n >>+<< m: bigint >>*2-<< n >> AS more FROM native_signs_that_touch_a_placeholder.t
WHERE id>=<< n >> AND id<=<< m >>AND id<><< no: bigint >> AND id%<< m >>=<< rest: bigint >>
  AND net<<='10.0.0.0/8' AND net << '10.0.0.0/7' AND '10.0.0.0/8' >>= net [[ AND s=<< s2: text >>||<< s3: text >> ]]
ORDER BY id
