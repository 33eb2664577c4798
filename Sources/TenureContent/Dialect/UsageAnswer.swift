import TenureCore
import TenureFormats
import TenureServerKit

/// What became of a device's reports, as it is told.
struct UsageAnswer: Sendable {
    /// A license that was reported on.
    struct Settled: Sendable {
        let license: ContentLicenseID
        /// The highest sequence of the device's ledger that was received.
        let sequence: Int64
        /// The newest version.
        let version: Int64
        /// What the server knows as used of that version; with `carry`, of all.
        let used: ContentUse
    }

    /// An entry that fits nowhere.
    struct Refused: Sendable {
        /// Its place in the request, from 0.
        let index: Int
        /// Why.
        let code: Reason.Kind
    }

    let settled: [Settled]
    let refused: [Refused]

    /// `settled` and `refused`.
    static let document = Document<UsageAnswer>(
        nil,
        [
            .list("settled", of: settledDocument, "The licenses that were reported on.") { $0.settled },
            .list("refused", of: refusedDocument, "The entries that fit nowhere; the others are settled.") {
                $0.refused
            },
        ])

    private static let settledDocument = Document<Settled>(
        "SettledUsage",
        [
            .text("license", "Which license.") { $0.license.description },
            .integer("sequence", "The highest sequence that was received.") { $0.sequence },
            .integer("version", "The newest version of the license.") { $0.version },
            .use("used", "What the server knows as used of that version; with `carry`, of all.") {
                ($0.used.plays, $0.used.playSeconds)
            },
        ])

    private static let refusedDocument = Document<Refused>(
        nil,
        [
            .integer("index", "Its place in the request, from 0.") { Int64($0.index) },
            .text("code", "Stable; branch on this.") { $0.code.text },
        ])
}

/// What a device is told that asked for renewals.
struct RenewalsAnswer: Sendable {
    let items: [ContentItemAnswer]
    let usage: UsageAnswer

    /// `items`, `settled` and `refused`.
    static let document = Document<RenewalsAnswer>(
        nil,
        [.list("items", of: ContentItemAnswer.document, "One for each that was asked about, in order.") { $0.items }]
            + UsageAnswer.document.members(of: \.usage))
}

/// What stands at the end of an answer and is told anew each time that the answer is repeated.
struct AnswerEnd: Sendable {
    /// The server's clock.
    var serverTime: Timestamp?
    /// A token that takes the place of the one that was shown.
    var token: String?

    /// Nothing.
    static let none = AnswerEnd()

    /// The token alone.
    static let token = Document<AnswerEnd>(
        nil,
        [
            .init(
                "token", .text(),
                "Takes the place of the token that was sent, once half of its life has passed; it is told this once.",
                isAlways: false
            ) { end, object in
                if let token = end.token { object.member("token", token) }
            }
        ])

    /// The time and the token.
    static let timeAndToken = Document<AnswerEnd>(
        nil,
        [
            .init("serverTime", .integer(), "The server's clock.") { end, object in
                object.member("serverTime", end.serverTime?.seconds)
            }
        ] + token.members)
}
