import TenureCommandLine

/// The schemas of the JSON that the commands of `tenure device` print with `--json`.
enum DeviceOutputs {
    static let device: [OutputType.Member] = [
        ("deviceID", .text), ("model", .text), ("os", .text), ("server", .text), ("domain", .textOrNull),
        ("account", .textOrNull), ("clockFile", .textOrNull), ("lastDailyJob", .textOrNull),
    ]

    static let app: [OutputType.Member] = [
        ("appleItemID", .text), ("appleVersionID", .text), ("assetPublicID", .text), ("bundleID", .textOrNull),
        ("name", .text), ("shortVersion", .textOrNull), ("account", .textOrNull), ("licenseID", .textOrNull),
        ("issuedAt", .momentOrNull), ("expiresAt", .momentOrNull), ("launches", .boolean), ("blockedBy", .textOrNull),
    ]

    static let waiting: [OutputType.Member] = [
        ("appleItemID", .text), ("appleVersionID", .text), ("bundleID", .textOrNull), ("name", .text),
        ("reason", .textOrNull),
    ]

    static let failed: [OutputType.Member] = [
        ("outcome", .text), ("code", .text), ("message", .text), ("error", .text),
        ("server", .null(.object([("status", .integer), ("code", .textOrNull), ("sentence", .textOrNull)]))),
    ]

    static let installed: [OutputType.Member] =
        [("outcome", .text), ("bytes", .integerOrNull), ("keptBytes", .integer), ("isDelta", .boolean)] + app

    static let restored: [OutputType.Member] = [
        ("restored", .list(.object(installed))),
        ("stillWaiting", .list(.object(waiting + [("prompt", .textOrNull)] + failed))),
    ]

    static let updates: [OutputType.Member] = [
        ("asked", .boolean), ("notBefore", .momentOrNull), ("updated", .list(.object(installed))),
        ("ended", .list(.object(failed + app))),
        ("dropped", .list(.object([("appleItemID", .textOrNull), ("reason", .text)]))),
    ]

    static let renewal: [OutputType.Member] = [
        ("renewed", .list(.object(app))), ("ineligible", .list(.object(app))), ("unanswered", .list(.object(app))),
    ]

    static let days = OutputType.object([
        ("now", .momentOrNull),
        (
            "days",
            .list(
                .object(
                    [("now", .moment), ("problem", .textOrNull), ("problems", .texts)] + restored,
                    optional: renewal + [("watched", .object(renewal)), ("updates", .object(updates))]))
        ),
    ])

    static let tap = OutputType.either([
        .object([("outcome", .text)] + app),
        .object(
            [("outcome", .text), ("title", .text), ("message", .text), ("buttons", .texts), ("page", .null(page))] + app
        ), .object([("outcome", .text)] + restored),
    ])

    private static let page = OutputType.object([
        ("url", .text), ("status", .integer),
        ("lines", .list(.object([("text", .text), ("heading", .boolean)]))),
    ])

    static let fleet = OutputType.object([
        ("devices", .integer), ("days", .integer), ("seed", .integer), ("renewAheadDays", .integer),
        (
            "runs",
            .list(
                .object([
                    ("renewAhead", .boolean), ("launches", .integer), ("issued", .integer), ("renewed", .integer),
                    ("refused", .object(FleetTally.Cause.allCases.map { ($0.rawValue, .integer) })),
                    ("errors", .integer), ("firstError", .textOrNull), ("attemptsPerDay", .list(.integer)),
                    ("failuresPerDay", .list(.integer)),
                ]))
        ),
    ])

    static let lint = OutputType.object([
        (
            "files",
            .list(
                .object(
                    [
                        ("path", .text), ("kind", .textOrNull),
                        (
                            "findings",
                            .list(
                                .object([
                                    ("id", .text), ("severity", .text), ("pointer", .textOrNull), ("message", .text),
                                    ("fix", .text), ("source", .text),
                                ]))
                        ),
                    ], optional: [("unreadable", .text)]))
        )
    ])

    static let conformance = OutputType.object(
        [
            ("target", .text), ("mode", .text),
            (
                "checks",
                .list(
                    .object([
                        ("id", .text), ("title", .text), ("severity", .text), ("result", .text), ("cause", .textOrNull),
                        ("sent", .textOrNull), ("received", .textOrNull), ("expected", .text), ("source", .text),
                        ("fix", .text),
                    ]))
            ), ("summary", .object(["pass", "fail", "skip"].map { ($0, .integer) })),
        ], optional: [("left", .object([("device", .text), ("licenses", .texts), ("note", .text)]))])
}
