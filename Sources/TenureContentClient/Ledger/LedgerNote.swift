import Foundation
package import TenureClient
import TenureCore

/// What a holder's ledger keeps beside licenses and contents; each kind is replaced as a whole, but for what a job told.
package enum LedgerNote: Sendable, Hashable, Codable {
    /// What the holder signs in with; nil after it was ended.
    case token(HolderToken?)
    /// What is known about time.
    case clock(ClockMarks)
    /// Keys that the server showed, by `kid`, in base64, where the app believes those.
    case keys([String: String])
    /// A renewal that is under way; nil when there is none.
    case job(RenewalJob?)
    /// What a chunk of it came to.
    case told([RenewalResult])
    /// The last answer about a content that was no yes; nil when a yes came after it.
    case fate(String, KeptFate?)
    /// Licenses that are given back as soon as the server answers, which play no more.
    case owed([String])
    /// What a person wanted to play when nobody could be asked; nil for nothing.
    case wish(String?)
    /// A key of a content's media; nil after it was deleted.
    case key(String, KeptKey?)
    /// When renewals were asked for, ran and finished by themselves, for support.
    case runs([RenewalRun])
}

/// The last answer about a content that was no yes.
package struct KeptFate: Sendable, Hashable, Codable {
    /// What it came to, as the wire calls it.
    package let outcome: String
    /// Why, most specific first.
    package let reasons: [ToldReason]
    /// When it came, in trusted time.
    package let at: Moment

    /// Keeps an answer.
    package init(outcome: String, reasons: [ToldReason], at moment: Moment) {
        self.outcome = outcome
        self.reasons = reasons
        at = moment
    }

    /// Whether another answer may come by waiting: the server could not be asked, or could not tell. A no, and an answer
    /// that does not verify, stay what they are however often they come.
    var isWaiting: Bool {
        guard outcome == "transient", let reason = reasons.first else { return false }
        guard reason.code == Reason.Kind.contentUnreached.text else { return reason.code == "try_again" }
        return reason.evidence?["cause"].flatMap(Unreached.Cause.init(rawValue:))?.isMendedByWaiting ?? true
    }
}

extension KeptFate {
    /// Whether it was no, and the holder's enrolment alone the reason.
    var isOfEnrolment: Bool {
        let kinds: [Reason.Kind] = [.enrolmentPaused, .enrolmentEnded, .enrolmentNotStarted, .enrolmentUnknown]
        return outcome == "refused" && reasons.allSatisfy { told in kinds.contains { $0.text == told.code } }
    }
}

extension Unreached.Cause {
    /// Whether it may be otherwise later, by itself.
    var isMendedByWaiting: Bool { self != .unverified && self != .misconfigured }
}

/// A renewal of several licenses, to be gone on with where it stopped.
package struct RenewalJob: Sendable, Hashable, Codable {
    /// Names it.
    package let id: String
    /// Whether also what is not due is renewed.
    package let isAlways: Bool
    /// The contents, in the order in which they are told.
    package let contents: [String]
    /// When it began, in trusted time.
    package let startedAt: Moment
    /// What the first of them came to.
    package var results: [RenewalResult]

    /// Plans a job.
    package init(id: String, isAlways: Bool, contents: [String], startedAt moment: Moment) {
        self.id = id
        self.isAlways = isAlways
        self.contents = contents
        startedAt = moment
        results = []
    }

    /// The contents that were not asked about yet.
    package var left: ArraySlice<String> { contents.dropFirst(results.count) }

    /// Whether going on with it does what is wanted: all of that is left, but for what it was told of already, which is not
    /// asked about again unless nothing else is wanted.
    func covers(_ wanted: [String], isAlways: Bool) -> Bool {
        guard self.isAlways || !isAlways else { return false }
        let open = Set(wanted).subtracting(results.map(\.content))
        return open.isEmpty ? wanted.isEmpty : Set(left).isSuperset(of: open)
    }
}

/// What a renewal of one content came to.
package struct RenewalResult: Sendable, Hashable, Codable {
    /// Which content.
    package let content: String
    /// What it came to, as the wire calls it.
    package let outcome: String
    /// Why, most specific first; empty for a yes.
    package let reasons: [ToldReason]

    /// States a result.
    package init(_ content: String, _ outcome: String, _ reasons: [ToldReason] = []) {
        self.content = content
        self.outcome = outcome
        self.reasons = reasons
    }
}

/// A renewal that nobody pressed a button for.
package struct RenewalRun: Sendable, Hashable, Codable {
    /// What for: `foreground`, `background`, `recovery`.
    package let occasion: String
    /// When it was asked for.
    package let askedAt: Moment
    /// When it ran; nil when it did not.
    package var ranAt: Moment?
    /// When it finished; nil when it was cut off.
    package var finishedAt: Moment?

    /// The most that are kept.
    package static let most = 20

    /// Notes that a run was asked for.
    package init(_ occasion: String, askedAt moment: Moment) {
        self.occasion = occasion
        askedAt = moment
    }
}

extension LedgerNote {
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // Texts, whole numbers and flags alone: there is nothing in it that JSON cannot say.
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    init(json: [UInt8]) throws(LedgerFault) {
        guard let note = try? JSONDecoder().decode(LedgerNote.self, from: Data(json)) else { throw LedgerFault() }
        self = note
    }
}
