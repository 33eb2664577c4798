public import Foundation
public import TenureClient
import TenureCore

/// Where a content stands: the first of these that is so.
public enum OfflineStatus: String, Sendable, Hashable, CaseIterable {
    /// Stopped by the server.
    case deleted, revoked, returned, expired
    /// Its time has not come.
    case notYetValid
    /// Its date has passed.
    case dateOver
    /// The window from its first play has passed.
    case windowOver
    /// All plays have been used.
    case playsUsedUp
    /// All play time has been used.
    case playTimeUsedUp
    /// The device should have asked the server.
    case checkInOverdue
    /// It plays only while the server answers, and the server does not.
    case onlineNeeded
    /// The clock was set back, and there is a date that it has to tell.
    case clockSetBack
    /// It plays; a renewal is due.
    case renewalDue
    /// It plays.
    case valid
    /// It may be kept and is not.
    case notKept

    /// Whether it can be played.
    public var isPlayable: Bool { self == .valid || self == .renewalDue }
}

/// A content of a holder on this device, as it stands at one moment.
public struct OfflineContent: Sendable, Hashable, Identifiable {
    /// The content's name among the vendor's.
    public let id: String
    /// Its name for people.
    public let title: String
    /// The course that it came with; nil when it came by itself.
    public let course: String?
    /// Where it stands.
    public let status: OfflineStatus
    /// Why it does not play, all the reasons; nil when it does.
    public let explanation: Explanation?
    /// Until when it plays without asking, the first moment that it does not; nil for no end, and when it does not play.
    public let playableUntil: Date?
    /// Plays that are left; nil without a limit.
    public let playsLeft: Int?
    /// Plays that there are; nil without a limit.
    public let plays: Int?
    /// Seconds of play time that are left; nil without a limit.
    public let secondsLeft: Int?
    /// Seconds of play time that there are; nil without a limit.
    public let seconds: Int?
    /// Until when it may be played at all; nil without an end.
    public let expiresAt: Date?
    /// Whether a renewal is due.
    public let isDue: Bool
    /// When any of this changes by itself; nil when it does not.
    public let nextChangeAt: Date?
    /// The last answer about it that was no yes; nil when a yes came after it.
    public let lastNo: Explanation?
    /// When that was answered; nil where ``lastNo`` is.
    public let lastNoAt: Date?
    /// What a person may do about what is not in order; nil when all is.
    public let recovery: RecoveryOption?
    /// Where its media lie; nil when the app did not say.
    public let media: MediaFile?
}

/// What is kept of one content.
struct ContentParts {
    let facts: ContentFacts
    let kept: KeptLicense?
    let fate: KeptFate?
}

extension OfflineContent {
    init(_ facts: ContentFacts, on shelf: Shelf, at moment: ContentMoment, isMediaWhole: (MediaFile) -> Bool) {
        let parts = ContentParts(facts: facts, kept: shelf[facts.content], fate: shelf.fates[facts.content.text])
        self.init(parts, at: moment, isMediaWhole: isMediaWhole)
    }

    init(_ parts: ContentParts, at moment: ContentMoment, isMediaWhole: (MediaFile) -> Bool) {
        let (facts, fate) = (parts.facts, parts.fate)
        let content = facts.content
        id = content.text
        title = facts.shownTitle
        course = facts.course
        media = facts.media.map { MediaFile(content: content.text, path: $0, bytes: facts.bytes) }
        let no = fate.flatMap { Explanation(told: $0.reasons) }
        lastNo = no
        lastNoAt = no == nil ? nil : fate.map { Date($0.at.timestamp) }
        guard let kept = parts.kept else {
            (status, explanation, playableUntil, nextChangeAt) = (.notKept, nil, nil, nil)
            (playsLeft, plays, secondsLeft, seconds, expiresAt, isDue) = (nil, nil, nil, nil, nil, false)
            recovery = no.map { RecoveryOption(for: $0.decided, isMediaWhole: true) }
            return
        }
        let standing = kept.grant.status(of: kept.ledger, at: moment)
        status = OfflineStatus(standing.status)
        explanation = standing.reasons.first.map { Explanation($0, Array(standing.reasons.dropFirst())) }
        playableUntil = standing.reach.moment.map(Date.init)
        nextChangeAt = standing.nextChangeAt.map(Date.init)
        (playsLeft, plays) = (standing.playsLeft, kept.grant.terms.plays)
        (secondsLeft, seconds) = (standing.secondsLeft.map { Int($0) }, kept.grant.terms.playSeconds.map { Int($0) })
        expiresAt = kept.grant.terms.expiresAt.map(Date.init)
        isDue = standing.isDue
        // Of what the server stopped the media may be gone, and to download them again helps nobody.
        let isWhole = kept.ledger.stop != nil || media.map(isMediaWhole) ?? true
        let wrong = (no?.decided ?? []) + standing.reasons
        recovery = wrong.isEmpty && isWhole ? nil : RecoveryOption(for: wrong, isMediaWhole: isWhole)
    }
}

extension OfflineStatus {
    /// The law's, by the same name.
    init(_ status: ContentStatus) {
        self =
            switch status {
            case .deleted: .deleted
            case .revoked: .revoked
            case .returned: .returned
            case .expired: .expired
            case .notYetValid: .notYetValid
            case .dateOver: .dateOver
            case .windowOver: .windowOver
            case .playsUsedUp: .playsUsedUp
            case .playTimeUsedUp: .playTimeUsedUp
            case .checkInOverdue: .checkInOverdue
            case .onlineNeeded: .onlineNeeded
            case .clockSetBack: .clockSetBack
            case .renewalDue: .renewalDue
            case .valid: .valid
            }
    }
}

extension ContentFacts {
    /// Its name for people; that among the vendor's, where it has no other.
    var shownTitle: String { title.isEmpty ? content.text : title }
}

extension Explanation {
    /// Explains by what a server told; nil when it told nothing.
    init?(told: [ToldReason]) {
        let reasons = told.map { TenureCore.Reason($0) }
        guard let first = reasons.first else { return nil }
        self.init(first, Array(reasons.dropFirst()))
    }
}
