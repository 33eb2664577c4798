package import TenureClient
import TenureContent
import TenureCore
import TenureFoundation

/// State in a holder's ledger other than licenses and content facts.
///
/// Each note replaces the previous one of its kind, except ``told(_:)``, which adds results to the current job.
package enum LedgerNote: Sendable, Hashable, Codable {
    /// The holder's token; `nil` once it has been removed.
    case token(HolderToken?)
    /// The clock state from which trusted time is computed.
    case clock(ClockMarks)
    /// Signing keys that the server published, by `kid`, in base64.
    ///
    /// Stored only if the app trusts served keys.
    case keys([String: String])
    /// The renewal in progress; `nil` if there isn't one.
    case job(RenewalJob?)
    /// The results of one chunk of the current renewal job.
    case told([RenewalResult])
    /// The most recent failure or refusal for a content item; `nil` once a later request for the item has succeeded.
    case fate(String, KeptFate?)
    /// Licenses to return once the server responds.
    ///
    /// They no longer play.
    case owed([String])
    /// The content item to play once the server is reachable again; `nil` if there isn't one.
    case requestedContent(String?)
    /// The key of a content item's media; `nil` once it has been removed.
    case key(String, KeptKey?)
    /// The latest automatic renewal runs, for support.
    case runs([RenewalRun])

    /// The stored names; never change them. A case's values are stored by position, as `_0` and `_1`: never label them.
    private enum CodingKeys: String, CodingKey {
        case token = "token"
        case clock = "clock"
        case keys = "keys"
        case job = "job"
        case told = "told"
        case fate = "fate"
        case owed = "owed"
        case requestedContent = "wish"
        case key = "key"
        case runs = "runs"
    }
}

/// The most recent failure or refusal for a content item.
package struct KeptFate: Sendable, Hashable, Codable {
    /// The outcome, spelled as in the content API.
    package let outcome: String
    /// The reasons, most specific first.
    package let reasons: [ToldReason]
    /// When the response arrived, in trusted time.
    package let at: Moment

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case outcome = "outcome"
        case reasons = "reasons"
        case at = "at"
    }

    package init(outcome: String, reasons: [ToldReason], at time: Moment) {
        self.outcome = outcome
        self.reasons = reasons
        at = time
    }

    /// Whether a later attempt may succeed, because the server was unreachable, has lost records, or asked the device
    /// to try again.
    ///
    /// Retrying doesn't help after a refusal or a response that failed verification.
    var isWaiting: Bool {
        guard outcome == "transient", let reason = reasons.first else { return false }
        guard reason.code == Reason.Kind.contentUnreached.text else {
            return ["try_again", "store_rewound"].contains(reason.code)
        }
        return reason.evidence?["cause"].flatMap(RequestFailure.Cause.init(rawValue:))?.isMendedByWaiting ?? true
    }
}

extension KeptFate {
    /// Whether this is a refusal whose only cause is the holder's enrolment.
    var isOfEnrolment: Bool {
        let kinds: [Reason.Kind] = [.enrolmentPaused, .enrolmentEnded, .enrolmentNotStarted, .enrolmentUnknown]
        return outcome == "refused" && reasons.allSatisfy { reason in kinds.contains { $0.text == reason.code } }
    }
}

extension RequestFailure.Cause {
    /// Whether waiting can resolve the cause, without any action of the user or the vendor.
    var isMendedByWaiting: Bool { self != .unverified && self != .misconfigured }
}

/// A renewal of several licenses that can be resumed after an interruption.
package struct RenewalJob: Sendable, Hashable, Codable {
    /// The job's random id, which tells it apart from a later job.
    package let id: String
    /// Whether to renew items that aren't due, too.
    package let isAlways: Bool
    /// The ids of the content items, in the order in which results are reported.
    package let contents: [String]
    /// When the job started, in trusted time; an old job isn't resumed.
    package let startedAt: Moment
    /// The results so far, in the order in which the device received them.
    package var results: [RenewalResult]

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case id = "id"
        case isAlways = "isAlways"
        case contents = "contents"
        case startedAt = "startedAt"
        case results = "results"
    }

    /// Creates a job without results.
    package init(id: String, isAlways: Bool, contents: [String], startedAt time: Moment) {
        self.id = id
        self.isAlways = isAlways
        self.contents = contents
        startedAt = time
        results = []
    }
}

/// The result of renewing one content item.
package struct RenewalResult: Sendable, Hashable, Codable {
    /// The id of the content item.
    package let content: String
    /// The outcome, spelled as in the content API.
    package let outcome: String
    /// The reasons, most specific first; empty after a success.
    package let reasons: [ToldReason]

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case content = "content"
        case outcome = "outcome"
        case reasons = "reasons"
    }

    package init(_ content: String, _ outcome: String, _ reasons: [ToldReason] = []) {
        self.content = content
        self.outcome = outcome
        self.reasons = reasons
    }
}

/// A record of a renewal run that the library started automatically.
package struct RenewalRun: Sendable, Hashable, Codable {
    /// The trigger: `foreground`, `background` or `recovery`.
    package let occasion: String
    /// When the app or the library requested the run, in trusted time.
    package let askedAt: Moment
    /// When the run started; `nil` if it didn't start.
    package var ranAt: Moment?
    /// When the run finished; `nil` if it is running or was interrupted.
    package var finishedAt: Moment?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case occasion = "occasion"
        case askedAt = "askedAt"
        case ranAt = "ranAt"
        case finishedAt = "finishedAt"
    }

    /// How many runs are stored; older ones are dropped.
    package static let most = 20

    /// Creates the record of a run that was requested and hasn't started.
    package init(_ occasion: String, askedAt time: Moment) {
        self.occasion = occasion
        askedAt = time
    }
}

extension LedgerNote {
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Encoding can't fail: a note contains only strings, integers and flags.
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    init(json: [UInt8]) throws(LedgerFault) {
        guard let note = try? JSONDecoder().decode(LedgerNote.self, from: Data(json)) else { throw LedgerFault() }
        self = note
    }
}
