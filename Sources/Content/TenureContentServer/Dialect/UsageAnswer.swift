import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// The response to a usage report.
struct UsageAnswer: Sendable {
    /// A license in the report, with the use that the server has counted.
    struct Settled: Sendable {
        let license: ContentLicenseID
        /// The highest sequence number of the device's ledger that was received.
        let sequence: Int64
        /// The newest version of the license on the server.
        let version: Int64
        /// The use of that version that the server has counted; with `carry`, the use of all versions.
        let used: ContentUse
    }

    /// An entry of the report that was rejected.
    struct Refused: Sendable {
        /// The index in the request, starting at 0.
        let index: Int
        /// Why the entry was rejected, as a code.
        let code: Reason.Kind
    }

    let settled: [Settled]
    let refused: [Refused]

    /// The members `settled` and `refused`.
    static let document = Document<UsageAnswer>(
        nil,
        [
            .list("settled", of: settledDocument, "The licenses that the reports are about.") { $0.settled },
            .list(
                "refused", of: refusedDocument,
                "The entries that were refused. Report again what is neither refused nor about a settled license."
            ) { $0.refused },
        ])

    private static let settledDocument = Document<Settled>(
        "SettledUsage",
        [
            .text("license", "Which license.") { $0.license.description },
            .integer("sequence", "The highest sequence number received.") { $0.sequence },
            .integer("version", "The newest version of the license.") { $0.version },
            .use("used", "The usage of that version as known to the server; with `carry`, of all versions.") {
                ($0.used.plays, $0.used.playSeconds)
            },
        ])

    private static let refusedDocument = Document<Refused>(
        nil,
        [
            .integer("index", "Its index in the request, from 0.") { Int64($0.index) },
            .text("code", "Stable; programs branch on it.") { $0.code.text },
        ])
}

/// The response to a renewal request.
struct RenewalsAnswer: Sendable {
    let items: [ContentItemAnswer]
    let usage: UsageAnswer

    /// The members `items`, `settled` and `refused`.
    static let document = Document<RenewalsAnswer>(
        nil,
        [.list("items", of: ContentItemAnswer.document, "One result per requested item, in order.") { $0.items }]
            + UsageAnswer.document.members(of: \.usage))
}

/// The last members of a response, which are computed again each time the response is repeated.
struct AnswerEnd: Sendable {
    /// The server's time when this response is sent; `nil` to send none.
    var serverTime: Timestamp?
    /// A replacement for the token in the request; `nil` if none is due.
    var token: String?

    static let none = AnswerEnd()

    /// The schema with the token alone.
    static let token = Document<AnswerEnd>(
        nil,
        [
            .init(
                "token", .text(),
                "Replaces the token that was sent, once half of its lifetime has passed. It is shown only this once.",
                isAlways: false
            ) { end, object in
                if let token = end.token { object.member("token", token) }
            }
        ])

    /// The schema with the time and the token.
    static let timeAndToken = Document<AnswerEnd>(
        nil,
        [
            .init("serverTime", .integer(), "The server's time.") { end, object in
                object.member("serverTime", end.serverTime?.seconds)
            }
        ] + token.members)
}
