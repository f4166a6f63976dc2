-- error: [query-too-deep]
SELECT NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (NOT - ~ (1))))))))))))))) AS x
