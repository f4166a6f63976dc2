//! Key pairs made for these tests with `openssl genpkey`, and the sets that their issuers publish. They guard nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// RSA with 2,048 bits.
pub(super) const RSA: &str = "-----BEGIN PRIVATE KEY-----
MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCbstD0z+ETG36F
m496bm3GTJCbJMuXh8XvnRoFYApkYMvg214YdyEdd5Ji1IT4lQ4e3NsyMMjLpztJ
kMMcbiNByGTweDdSQsAoFEpJv9sGImifsmFQaL8A/xmZFJM4F9/ucrNpuLOwL45p
SHwlgGiXtJvNcQz9ZK/v3DXur80EWY0mzW9m1Fwr7tPt693e8iJaLBZysYpr7May
N2GRhzPI4rNKDVFi8LjBq7lfFc1NPbZUvs2jcukpPXec+NNxmVt0QcULp6QDHSgN
rA9d5C4wvctUFaJmMJhrBtwWiz8q6o6SQVdiNiBQMaGUzK3Iq4oH/FtoZ0PRpM0Q
LiNiQeqdAgMBAAECggEANfg04DdSoGnuYGe8w0aV/J+7nFuTytHAdb9yLpzM3WCE
K0w/AKICs5EoB+P8t6ILQ/1waaRpZdZxAZ4RU8CFrh7FhmlVW8lRjFMEMS40wJqa
w4h0nQfB9Zl3iQ2NvmrgL2pI8IOanZ7OcYYzqlgpaTSssPjX9Nm69pzRgQwlN7U8
LQrz9x0Bw2HVK3E6hcFTmrrCtCC744nZ7wheAukO6LuxisgXtZG/kFk3bhiN9tbw
ukrtP5Bq6epS9dAx/mQ0pTu2Dw3Cs7Ay41LXc/Jrdd23OzYXLDjb++f3VNqpsnmv
dEFq8TSPOQRizbx5CCXL3gtBKw0zbceQc4NGQQSRDQKBgQDWMUNldMxtUMGP+rO5
aDyzgfP1OGVU+Sa+XlucztjM3s4DBV2lEwzc3GzFEMZUi32uSsKh+XBI4lkndebx
AF/O5ONqZGc7d+RSlwZi/K0tuEQM2baLWxSVLZ3tm1DVC8Vu5tiN9AYU2edx6B2W
TiiqYgbkXZYJ1lfsDPPTSsXMkwKBgQC6FryL/XJnokihwDvCnUX0ftQlQIZKHN9H
/89n6UnTz1rhcPdzoeD73WTSKxVbN1JXyao6FUAvCpO06HT/lrzEFtSQSRyTThO3
3WyhuLiGMp3QuTcujBV2hn2S6SWgzDkDs0mxdDvIR88m/BU3AKNOUAT1Jrck9wpp
RxIhQQwaDwKBgDKC1ZD0dU0GMU9h4MZFdaMjb0OR9BuQ0fksyU/2W5wcotqFhmrq
Tis7dA8ZAJxpdM8IZFPMPhWCA2JR5I9K9k0VHyg02z9j650qbmAjlDdm7+1T3j+I
0BbJ9idVbD+BkiKwH7uCI3kBVho/kdKjReXATj3GcB6LxJovB8T5KiIvAoGAUdMH
iwKhmIIaL82IOXXQOca+37Z0lggGAfGwsD87MEB/9Jsoo5ath/H8kBFTra0wrttE
149ajpS3CBgiwfP1AsALLXqIbxkowHNDfgTsVk3RaOLYKcZ89YYDl2KfIgpKk571
K2sxkkpJAxpa9bl5FUlINMeWRlG+KTaP+UFR4e8CgYBSv4RA/RDCWIhvGXQxOBeG
BbDah0IPNk9gr7MWNkQBMtSOhQXmYlblrEq4C+pHdeuABrCEQOqiNV5BhhxRsK1U
nITWo/kgoQFQ3jD57aQtcJKqFG5HX+L+4q8vVMIFz4Ryt3PM8M88xv9kASZ3d3zC
C/IbEm7Dr4C/x+BZm+ee+w==
-----END PRIVATE KEY-----
";

/// Its public half, which anybody may have.
pub(super) const RSA_PUBLIC: &str = "-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAm7LQ9M/hExt+hZuPem5t
xkyQmyTLl4fF750aBWAKZGDL4NteGHchHXeSYtSE+JUOHtzbMjDIy6c7SZDDHG4j
Qchk8Hg3UkLAKBRKSb/bBiJon7JhUGi/AP8ZmRSTOBff7nKzabizsC+OaUh8JYBo
l7SbzXEM/WSv79w17q/NBFmNJs1vZtRcK+7T7evd3vIiWiwWcrGKa+zGsjdhkYcz
yOKzSg1RYvC4wau5XxXNTT22VL7No3LpKT13nPjTcZlbdEHFC6ekAx0oDawPXeQu
ML3LVBWiZjCYawbcFos/KuqOkkFXYjYgUDGhlMytyKuKB/xbaGdD0aTNEC4jYkHq
nQIDAQAB
-----END PUBLIC KEY-----
";

/// ECDSA on P-256.
pub(super) const EC: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgziKrCv/m/TdL3ocm
J+ZjWnNaMbeaVrFrI5XY2QjNiN2hRANCAATtfcveUi9MAxsDOoFr4VfwB5N+v9J0
ZOh2da9OaKbkcOMBgH4NCZC9kN9gAPci/ZrOLSSQeHR+55vbB5S41757
-----END PRIVATE KEY-----
";

/// Ed25519.
pub(super) const ED: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIOch/GQM4otWHoDm30d1bbjpTwTsmPe15F5MhL9+afWk
-----END PRIVATE KEY-----
";

/// ECDSA on P-256, of another issuer.
pub(super) const OTHER_EC: &str = "-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOjRcorq1aFaGPOKH
TEk6FUej09Ku5+rI6XBIHNwMX+KhRANCAAT+PMy5FytTfbOapS6bn/PIrr7XusVN
xlxcnxnDchkTrlVPQ6QIFAZgTF594Aa6p9LiZQGJAPzpz+eONBcRZsqL
-----END PRIVATE KEY-----
";

/// What stands between the first and the last line.
pub(super) fn der(pem: &str) -> Vec<u8> {
    let lines: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    STANDARD.decode(lines).unwrap()
}

const RSA_MODULUS: &str = concat!(
    "m7LQ9M_hExt-hZuPem5txkyQmyTLl4fF750aBWAKZGDL4NteGHchHXeSYtSE-JUOHtzbMjDIy6c7SZDDHG4jQchk8Hg3UkLAKBRK",
    "Sb_bBiJon7JhUGi_AP8ZmRSTOBff7nKzabizsC-OaUh8JYBol7SbzXEM_WSv79w17q_NBFmNJs1vZtRcK-7T7evd3vIiWiwWcrGK",
    "a-zGsjdhkYczyOKzSg1RYvC4wau5XxXNTT22VL7No3LpKT13nPjTcZlbdEHFC6ekAx0oDawPXeQuML3LVBWiZjCYawbcFos_KuqO",
    "kkFXYjYgUDGhlMytyKuKB_xbaGdD0aTNEC4jYkHqnQ",
);

/// The public key `rsa-1`, with members replaced and added.
pub(super) fn rsa(members: Value) -> Value {
    let key = json!({ "kty": "RSA", "kid": "rsa-1", "use": "sig", "alg": "RS256", "n": RSA_MODULUS, "e": "AQAB" });
    merged(key, members)
}

/// The public key `ec-1`.
pub(super) fn ec(members: Value) -> Value {
    let key = json!({
        "kty": "EC", "crv": "P-256", "kid": "ec-1",
        "x": "7X3L3lIvTAMbAzqBa-FX8AeTfr_SdGTodnWvTmim5HA",
        "y": "4wGAfg0JkL2Q32AA9yL9ms4tJJB4dH7nm9sHlLjXvns"
    });
    merged(key, members)
}

/// The public key `ed-1`.
pub(super) fn ed(members: Value) -> Value {
    let key = json!({
        "kty": "OKP", "crv": "Ed25519", "kid": "ed-1", "key_ops": ["verify"],
        "x": "KbhbGnuJXN4pTGdV4lYPX9N93QcqJTeUs4913YeM-DQ"
    });
    merged(key, members)
}

/// The public key `other-1`.
pub(super) fn other_ec(members: Value) -> Value {
    let key = json!({
        "kty": "EC", "crv": "P-256", "kid": "other-1",
        "x": "_jzMuRcrU32zmqUum5_zyK6-17rFTcZcXJ8Zw3IZE64",
        "y": "VU9DpAgUBmBMXn3gBrqn0uJlAYkA_OnP5440FxFmyos"
    });
    merged(key, members)
}

/// An object with members replaced and added, or taken away where they are null.
pub(super) fn merged(mut object: Value, members: Value) -> Value {
    let target = object.as_object_mut().unwrap();
    for (name, value) in members.as_object().unwrap() {
        if value.is_null() {
            target.remove(name);
        } else {
            target.insert(name.clone(), value.clone());
        }
    }
    object
}
