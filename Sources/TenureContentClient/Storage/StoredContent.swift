// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those that players of this shape have.

public import Foundation
import TenureCore

/// A kept content in the shape that Kollus's player gives it: 0 of a maximum means that there is no limit.
public final class StoredContent: Sendable {
    /// The content's name.
    public let mediaContentKey: String
    /// Its name for people.
    public let title: String
    /// Whether it does not play for another reason than plays or play time: the server stopped it, or a date has passed. So
    /// the usual three tests, which leave the date out, tell what is so.
    public let DRMExpired: Bool
    /// The first moment that it does not play; nil without one.
    public let DRMExpireDate: Date?
    /// Plays that were granted; 0 means no limit.
    public let DRMExpireCountMax: Int
    /// Plays that are left.
    public let DRMExpireCount: Int
    /// Seconds of play time that were granted; 0 means no limit.
    public let DRMTotalExpirePlayTime: Int
    /// Seconds of play time that are left.
    public let DRMExpirePlayTime: Int
    /// Whether the person is to be asked before it is renewed.
    public let DRMExpireRefreshPopup: Bool
    /// Where it stands, with all there is to say.
    public let content: OfflineContent

    /// The same as ``DRMExpireCountMax``.
    public var drmExpireCountMax: Int { DRMExpireCountMax }
    /// The same as ``DRMExpireCount``.
    public var drmExpireCount: Int { DRMExpireCount }
    /// The same as ``DRMTotalExpirePlayTime``.
    public var drmTotalExpirePlayTime: Int { DRMTotalExpirePlayTime }

    init(_ content: OfflineContent, _ facts: KollusFacts, asksBeforeRenewal: Bool) {
        let byCount: [OfflineStatus] = [.playsUsedUp, .playTimeUsedUp]
        let byMoment: [OfflineStatus] = [.onlineNeeded, .clockSetBack, .notYetValid]
        self.content = content
        mediaContentKey = content.id
        title = content.title
        DRMExpired =
            facts.isStopped
            || !content.status.isPlayable && !byCount.contains(content.status) && !byMoment.contains(content.status)
        DRMExpireDate = content.expiresAt
        DRMExpireCountMax = facts.playsGranted
        DRMExpireCount = facts.playsLeft
        DRMTotalExpirePlayTime = Int(facts.secondsGranted)
        DRMExpirePlayTime = Int(facts.secondsLeft)
        DRMExpireRefreshPopup = asksBeforeRenewal
    }
}

extension ContentLibrary {
    /// What is kept, in the shape of ``StoredContent``.
    func stored() -> [StoredContent] {
        contents().compactMap { stored($0) }
    }

    /// One content that is kept; nil when it is not.
    func stored(_ name: String) -> StoredContent? { content(name).flatMap { stored($0) } }

    private func stored(_ content: OfflineContent) -> StoredContent? {
        guard let kept = ContentID(content.id).flatMap({ shelf[$0] }) else { return nil }
        // Of a play that can be gone on with, one is left in that shape, which knows no such thing.
        var facts = KollusFacts(kept.grant, kept.ledger)
        if content.status.isPlayable, facts.playsGranted > 0 { facts.playsLeft = max(1, facts.playsLeft) }
        return StoredContent(content, facts, asksBeforeRenewal: kept.grant.terms.askBeforeRenew)
    }
}
