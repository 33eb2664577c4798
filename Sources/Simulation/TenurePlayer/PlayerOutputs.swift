import TenureCommandLine

/// The schemas of the JSON that the commands of `tenure player` print with `--json`.
enum PlayerOutputs {
    static let refused: [OutputType.Member] = [
        ("content", .text), ("code", .text),
        (
            "reasons",
            .list(
                .object([
                    ("code", .text), ("message", .text), ("cure", .text), ("changesAt", .momentOrNull),
                    ("evidence", .anyObject),
                ]))
        ),
    ]

    static let choices: OutputType.Member = (
        "choices", .list(.object([("option", .text), ("helps", .boolean)]))
    )

    static let added = OutputType.object([("asked", .texts), ("refused", .list(.object(refused)))])

    static let notPlayed = OutputType.object(
        [("outcome", .text), ("recovery", .text), choices] + refused)

    static let played = OutputType.either([
        .object([
            ("outcome", .text), ("played", .integer), ("playsLeft", .integerOrNull), ("secondsLeft", .integerOrNull),
            ("code", .textOrNull),
        ]), .object([("outcome", .text)] + refused), notPlayed,
    ])

    static let contents = OutputType.page(
        "contents",
        of: .object([
            ("content", .text), ("title", .text), ("course", .textOrNull), ("status", .text), ("isPlayable", .boolean),
            ("isDue", .boolean), ("playableUntil", .momentOrNull), ("playsLeft", .integerOrNull),
            ("secondsLeft", .integerOrNull), ("nextChangeAt", .momentOrNull), ("reasons", .texts), ("lastNo", .texts),
            ("lastNoAt", .momentOrNull), ("recovery", .textOrNull), choices,
        ]),
        and: [
            ("now", .moment), ("network", .text), ("waitsForNetwork", .boolean), ("problem", .textOrNull),
            ("awaitingConfirmation", .texts),
        ])

    static let renewal = OutputType.either([
        .object([
            ("index", .integer), ("total", .integer), ("content", .text), ("outcome", .text), ("recovery", .textOrNull),
            choices, ("reasons", .texts),
        ]), .object([("report", .anyObject)]),
        .object([
            ("asked", .texts), ("due", .texts), ("unconfirmed", .texts), ("refused", .list(.object(refused))),
        ]),
    ])
}
