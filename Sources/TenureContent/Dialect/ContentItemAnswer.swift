import TenureCore
import TenureFormats
import TenureServerKit

/// The answer about one license, as it is told.
struct ContentItemAnswer: Sendable {
    private let license: String?
    private let content: ContentID?
    private let version: Int64
    private let outcome: ContentAnswer.Outcome
    private let statement: (name: String, place: [UInt8])?
    private let reasons: [Reason]
    private let used: ContentUse?

    /// Tells what the law answered to a request.
    init(_ answer: ContentAnswer, to request: String, at now: Timestamp) {
        license = answer.license?.id.description
        content = answer.license?.present.content
        version = answer.license?.version ?? 0
        outcome = answer.outcome
        reasons = answer.reasons
        used = answer.license?.used
        if let grant = answer.grant {
            statement = ("grant", ContentReply.place(grant))
        } else if answer.outcome == .terminal, let refusal = ContentRefusal(answer, to: request, at: now) {
            statement = ("refusal", ContentReply.place(refusal))
        } else {
            statement = nil
        }
    }

    private init(license: String?, version: Int64, _ reason: Reason.Kind) {
        self.license = license
        self.version = version
        content = nil
        outcome = .invalid
        statement = nil
        reasons = [Reason(reason)]
        used = nil
    }

    /// That the device has no license of that name.
    static func unknown(_ license: ContentLicenseID, version: Int64) -> ContentItemAnswer {
        ContentItemAnswer(license: license.description, version: version, .contentLicenseUnknown)
    }

    /// That an item does not read.
    static let unread = ContentItemAnswer(license: nil, version: 0, .fieldInvalid)

    fileprivate func write(into object: inout JSONObjectWriter) {
        object.member("license", license)
        object.member("content", content?.text)
        object.member("version", version)
        object.member("outcome", outcome.rawValue)
        if let (name, place) = statement { object.member(name, json: place) }
        object.contentReasons(reasons)
        object.use("used", used)
    }
}

extension JSONObjectWriter {
    /// The members of the answer about one license.
    mutating func item(_ answer: ContentItemAnswer) { answer.write(into: &self) }

    /// Reasons as signed statements have them: their moments in POSIX seconds.
    mutating func contentReasons(_ reasons: [Reason]) {
        array("reasons") { list in
            for reason in reasons { list.object { TenureRefusal.Told(reason).write(into: &$0) } }
        }
    }

    /// What was used, or is left; null where nothing is known.
    mutating func use(_ name: String, _ use: ContentUse?) {
        guard let use else { return null(name) }
        object(name) { member in
            member.member("plays", use.plays)
            member.member("playSeconds", use.playSeconds)
        }
    }
}

extension Reason.Kind {
    /// A member is not what it must be: the same as for a whole request.
    static let fieldInvalid = requests.first { $0.text == "field_invalid" } ?? Reason.Kind(told: "field_invalid")
}

extension ContentReply {
    /// The law's no to a question for a content, with the statement that says it.
    static func no(_ answer: ContentAnswer, to ask: ContentRequest, at now: Timestamp) -> ContentReply {
        guard let refusal = Refusal(answer.reasons) else { return ContentReply(status: 403) { _ in } }
        let status = refusal.first.code == .deviceLimitReached ? 409 : 403
        let problem = ProblemDetails(status: status, title: "Refused", refusal: refusal)
        return ContentReply(status: status) { body in
            problem.write(into: &body)
            if let refusal = ContentRefusal(answer, to: ask, at: now) {
                body.member("refusal", json: place(refusal))
            }
        }
    }
}
