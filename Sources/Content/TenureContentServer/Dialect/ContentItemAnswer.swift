import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// The response about one license, in a list of renewals or alone.
struct ContentItemAnswer: Sendable {
    private let license: String?
    private let content: ContentID?
    private let version: Int64
    private let outcome: ContentAnswer.Outcome
    fileprivate let statement: (name: String, place: [UInt8])?
    private let reasons: [Reason]
    private let used: ContentUse?
    private let settled: Int64?

    /// Creates the response for a decision, with texts in a language.
    init(_ answer: ContentAnswer, to request: String, in language: Language, at now: Timestamp) {
        let answer = answer.localized(inApp: language)
        license = answer.license?.id.description
        content = answer.license?.present.content
        version = answer.license?.version ?? 0
        outcome = answer.outcome
        reasons = answer.reasons
        used = answer.license?.used
        settled = answer.license?.settled
        if let grant = answer.grant {
            statement = ("grant", ContentReply.placeholder(grant))
        } else if answer.outcome == .terminal, let refusal = ContentRefusal(answer, to: request, at: now) {
            statement = ("refusal", ContentReply.placeholder(refusal))
        } else {
            statement = nil
        }
    }

    private init(
        license: String?, version: Int64, _ outcome: ContentAnswer.Outcome, _ reason: Reason
    ) {
        self.license = license
        self.version = version
        self.outcome = outcome
        content = nil
        statement = nil
        reasons = [reason]
        used = nil
        settled = nil
    }

    /// The response about a license that the device doesn't have.
    static func unknown(
        _ license: ContentLicenseID, version: Int64, in language: Language
    ) -> ContentItemAnswer {
        ContentItemAnswer(
            license: license.description, version: version, .invalid,
            Reason(.contentLicenseUnknown).localized(inApp: language))
    }

    /// The response about a license that the store lacks, but may have lost.
    static func missing(
        _ license: ContentLicenseID, version: Int64, in language: Language
    ) -> ContentItemAnswer {
        ContentItemAnswer(
            license: license.description, version: version, .transient,
            Reason(.storeRewound).localized(inApp: language))
    }

    /// The response about an item of the request that can't be read.
    static let unread = ContentItemAnswer(license: nil, version: 0, .invalid, Reason(.fieldInvalid))

    /// The members of the response, which the API's description lists, too.
    static let document = Document<ContentItemAnswer>(
        "ContentItem",
        [
            .textOrNull("license", "The license; null if the item is invalid.") { $0.license },
            .textOrNull("content", "The content item; null if the license is unknown.") { $0.content?.text },
            .integer("version", "The newest version of the license.") { $0.version },
            .choice("outcome", "The result; programs branch on it.") { $0.outcome },
            .statement("grant", "The signed limits, for `renewed` and `unchanged`."),
            .statement("refusal", "The signed refusal, for `terminal`."),
            .init(
                "reasons", .list(of: Reason.contentDocument.schema), "The reasons for the refusal, most specific first."
            ) {
                $1.contentReasons($0.reasons)
            },
            .init(
                "used",
                Schema.object(
                    [("plays", .integer()), ("playSeconds", .integer())], required: ["plays", "playSeconds"]
                )
                .orNull,
                "The usage of that version as known to the server; with `carry`, of all versions. Null if unknown."
            ) { answer, object in
                guard let used = answer.used else { return object.null("used") }
                object.object("used") { member in
                    member.member("plays", used.plays)
                    member.member("playSeconds", used.playSeconds)
                }
            },
            .integerOrNull(
                "settled",
                "The highest sequence number that the server received for the license; a device without a ledger "
                    + "continues after it. Null if unknown."
            ) { $0.settled },
        ])
}

extension Document.Member where Value == ContentItemAnswer {
    /// A member for the signed grant or refusal, which only some responses contain.
    fileprivate static func statement(_ name: String, _ sentence: String) -> Document.Member {
        .init(name, .text(), sentence, isAlways: false) { answer, object in
            if let (own, statement) = answer.statement, own == name { object.member(name, json: statement) }
        }
    }
}

extension Reason {
    /// A reason in a response about content.
    ///
    /// Its `changesAt` is in POSIX seconds.
    static let contentDocument = Document<Reason>(
        "ContentReason",
        [
            .text("code", "Stable; programs branch on it.") { $0.code.text },
            .text("message", "What happened, in a sentence for people.") { $0.message },
            .text("cure", "What to do next.") { $0.cure },
            .secondsOrNull("changesAt", "When it changes automatically.") { $0.changesAt },
            .facts("evidence", "The numbers and dates that explain it.") { $0.evidence },
        ])
}

extension JSONObjectWriter {
    /// Writes the members of a response about one license.
    mutating func item(_ answer: ContentItemAnswer) { ContentItemAnswer.document.write(answer, into: &self) }

    /// Writes the member `reasons`, with times in POSIX seconds.
    mutating func contentReasons(_ reasons: [Reason]) {
        array("reasons") { list in
            for reason in reasons { list.object { Reason.contentDocument.write(reason, into: &$0) } }
        }
    }
}

extension Reason.Kind {
    /// The reason for an invalid item of a list.
    ///
    /// The code is the same as for a whole request.
    static let fieldInvalid = requests.first { $0.text == "field_invalid" } ?? Reason.Kind(told: "field_invalid")
}

extension ContentReply {
    /// Creates the response that refuses a license request, with the signed refusal.
    static func no(
        _ answer: ContentAnswer, to request: ContentRequest, in language: Language, at now: Timestamp
    ) -> ContentReply {
        let answer = answer.localized(inApp: language)
        guard let refusal = Refusal(answer.reasons) else { return ContentReply(status: 403) { _ in } }
        let status = refusal.first.code == .deviceLimitReached ? 409 : 403
        let problem = ProblemDetails(status: status, title: "Refused", refusal: refusal)
        return ContentReply(status: status) { body in
            problem.write(into: &body)
            if let refusal = ContentRefusal(answer, to: request, at: now) {
                body.member("refusal", json: placeholder(refusal))
            }
        }
    }
}
