import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// The response to a usage report.
struct UsageAnswer: Sendable {
    /// A license in the report.
    struct Settled: Sendable {
        let license: ContentLicenseID
        /// The highest sequence number of the device's ledger that was received.
        let sequence: Int64
        /// The newest version of the license.
        let version: Int64
        /// The known use of that version, or of all versions with `carry`.
        let used: ContentUse
    }

    /// A rejected entry.
    struct Refused: Sendable {
        /// The index in the request, starting at 0.
        let index: Int
        /// The reason.
        let code: Reason.Kind
    }

    let settled: [Settled]
    let refused: [Refused]

    /// The members `settled` and `refused`.
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

/// The response to a renewal request.
struct RenewalsAnswer: Sendable {
    let items: [ContentItemAnswer]
    let usage: UsageAnswer

    /// The members `items`, `settled` and `refused`.
    static let document = Document<RenewalsAnswer>(
        nil,
        [.list("items", of: ContentItemAnswer.document, "One for each that was asked about, in order.") { $0.items }]
            + UsageAnswer.document.members(of: \.usage))
}

/// The last members of a response, which are new each time that the response is repeated.
struct AnswerEnd: Sendable {
    /// The server's time.
    var serverTime: Timestamp?
    /// A replacement for the token in the request.
    var token: String?

    /// No members.
    static let none = AnswerEnd()

    /// The schema with the token alone.
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

    /// The schema with the time and the token.
    static let timeAndToken = Document<AnswerEnd>(
        nil,
        [
            .init("serverTime", .integer(), "The server's clock.") { end, object in
                object.member("serverTime", end.serverTime?.seconds)
            }
        ] + token.members)
}
