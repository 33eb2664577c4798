public import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation

/// The status of a content item: the first of these cases that applies.
public enum OfflineStatus: String, Sendable, Hashable, CaseIterable {
    /// The server stopped the license, or the holder returned it.
    case deleted, revoked, returned, expired
    /// The license isn't valid yet.
    case notYetValid
    /// The license's end date has passed.
    case dateOver
    /// The period that starts with the first play has passed.
    case windowOver
    /// All plays are used.
    case playsUsedUp
    /// All play time is used.
    case playTimeUsedUp
    /// The device missed a required check-in with the server.
    case checkInOverdue
    /// The item plays only while the server can be reached, and the server can't be reached now.
    case onlineNeeded
    /// The device's clock was set back, and the license depends on a date.
    case clockSetBack
    /// The item is playable, and a renewal is due.
    case renewalDue
    /// The item is playable, and no renewal is due.
    case valid
    /// The item has no license on this device.
    case notKept

    /// Whether an item with this status can be played.
    public var isPlayable: Bool { self == .valid || self == .renewalDue }
}

/// A snapshot of a content item's state for a holder on this device.
public struct OfflineContent: Sendable, Hashable, Identifiable {
    /// The item's id in the vendor's catalog.
    public let id: String
    /// The display title; the item's id if the server sent none.
    public let title: String
    /// The course to which the item belongs; `nil` if it belongs to none.
    public let course: String?
    /// The status of the item's license when the snapshot was taken.
    public let status: OfflineStatus
    /// All reasons why the item isn't playable; `nil` if it is.
    public let explanation: Explanation?
    /// When the item stops being playable without a renewal; `nil` if it never does or isn't playable now.
    public let playableUntil: Date?
    /// The number of plays left; `nil` if unlimited.
    public let playsLeft: Int?
    /// The number of plays granted; `nil` if unlimited.
    public let plays: Int?
    /// The play time left, in seconds; `nil` if unlimited.
    public let secondsLeft: Int?
    /// The play time granted, in seconds; `nil` if unlimited.
    public let seconds: Int?
    /// When the license expires; `nil` if it doesn't.
    public let expiresAt: Date?
    /// Whether a renewal is due, because a limit or the renewal date has been reached.
    public let isDue: Bool
    /// When any of these values next changes because time passes; `nil` if none does.
    public let nextChangeAt: Date?
    /// The most recent failure or refusal for this item; `nil` once a later request for the item has succeeded.
    public let lastNo: Explanation?
    /// When the response in ``lastNo`` arrived; `nil` if ``lastNo`` is `nil`.
    public let lastNoAt: Date?
    /// What the user can do about a problem; `nil` if there isn't one.
    public let recovery: RecoveryOption?
    /// The item's media file; `nil` if the app didn't set it.
    public let media: MediaFile?
}

/// The stored values of one content item.
struct ContentParts {
    let facts: ContentFacts
    let stored: KeptLicense?
    let fate: KeptFate?
}

extension OfflineContent {
    init(
        _ facts: ContentFacts, on ledgerContents: LedgerContents, at instant: ContentStatus.Moment,
        isMediaWhole: (MediaFile) -> Bool
    ) {
        let parts = ContentParts(
            facts: facts, stored: ledgerContents[facts.content], fate: ledgerContents.fates[facts.content.text])
        self.init(parts, at: instant, isMediaWhole: isMediaWhole)
    }

    init(_ parts: ContentParts, at instant: ContentStatus.Moment, isMediaWhole: (MediaFile) -> Bool) {
        let (facts, fate) = (parts.facts, parts.fate)
        let content = facts.content
        id = content.text
        title = facts.shownTitle
        course = facts.course
        media = facts.file
        let no = fate.flatMap { Explanation(reasons: $0.reasons) }
        lastNo = no
        lastNoAt = no == nil ? nil : fate.map { Date($0.at.timestamp) }
        guard let stored = parts.stored else {
            (status, explanation, playableUntil, nextChangeAt) = (.notKept, nil, nil, nil)
            (playsLeft, plays, secondsLeft, seconds, expiresAt, isDue) = (nil, nil, nil, nil, nil, false)
            recovery = no.map { RecoveryOption(for: $0.decided, isMediaWhole: true) }
            return
        }
        let evaluation = stored.grant.status(of: stored.ledger, at: instant)
        status = OfflineStatus(evaluation.status)
        explanation = Explanation(evaluation.reasons)
        playableUntil = evaluation.reach.end.map(Date.init)
        nextChangeAt = evaluation.nextChangeAt.map(Date.init)
        (playsLeft, plays) = (evaluation.playsLeft, stored.grant.terms.plays)
        (secondsLeft, seconds) = (
            evaluation.secondsLeft.map { Int($0) }, stored.grant.terms.playSeconds.map { Int($0) }
        )
        expiresAt = stored.grant.terms.expiresAt.map(Date.init)
        isDue = evaluation.isDue
        // The media of a stopped license may have been removed, and downloading them again wouldn't help.
        let isWhole = stored.ledger.stop != nil || media.map(isMediaWhole) ?? true
        let wrong = (no?.decided ?? []) + evaluation.reasons
        recovery = wrong.isEmpty && isWhole ? nil : RecoveryOption(for: wrong, isMediaWhole: isWhole)
    }
}

extension OfflineStatus {
    /// Converts a status of the content rules to the case of the same name.
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
    /// The display title; the item's id if it has no title.
    var shownTitle: String { title.isEmpty ? content.text : title }

    /// The item's media file; `nil` if the app didn't set it.
    var file: MediaFile? { media.map { MediaFile(content: content.text, path: $0, bytes: bytes) } }
}

extension Explanation {
    /// Creates an explanation from reasons that a server sent; `nil` if there aren't any.
    init?(reasons: [ToldReason]) { self.init(reasons.map { TenureCore.Reason($0) }) }

    /// Creates an explanation from reasons, most specific first; `nil` if there aren't any.
    init?(_ reasons: [TenureCore.Reason]) {
        guard let first = reasons.first else { return nil }
        self.init(first, Array(reasons.dropFirst()))
    }
}
