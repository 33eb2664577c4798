// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names match those of Kollus's player.

import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation

/// An item with a license, with the interface of Kollus's content objects.
///
/// A maximum of 0 means no limit.
///
/// Each property is computed when it is read, on any thread. No refresh is needed after a play, a renewal or a passed
/// date.
public final class StoredContent: Sendable {
    /// The item's id in the vendor's catalog.
    public let mediaContentKey: String
    /// The display title; the item's id if the server sent none.
    public let title: String

    private let id: ContentID
    private let reader: LibraryReader
    /// The license at creation, so that its limits can still be read after it was returned.
    private let first: KeptLicense

    init?(_ facts: ContentFacts, _ reader: LibraryReader) {
        guard let stored = reader.storedLicense(facts.content) else { return nil }
        (id, first, self.reader) = (facts.content, stored, reader)
        (mediaContentKey, title) = (facts.content.text, facts.shownTitle)
    }

    /// Whether the server stopped the license, the holder returned it, or one of its dates has passed: its end, the end
    /// of the time after the first play, or the check-in date.
    ///
    /// It is `false` if only the plays or the play time are used up. Apps must check those as well, but needn't check
    /// the date.
    public var DRMExpired: Bool {
        guard let stored = reader.storedLicense(id) else { return true }
        let status = stored.grant.status(of: stored.ledger, at: reader.instant()).status
        return switch status {
        case .valid, .renewalDue, .playsUsedUp, .playTimeUsedUp, .onlineNeeded, .clockSetBack, .notYetValid: false
        case .deleted, .revoked, .returned, .expired, .dateOver, .windowOver, .checkInOverdue: true
        }
    }

    /// When the license expires; `nil` if it doesn't.
    public var DRMExpireDate: Date? { stored.grant.terms.expiresAt.map(Date.init) }
    /// The number of plays granted; 0 means no limit.
    public var DRMExpireCountMax: Int { facts.playsGranted }
    /// The number of plays left.
    ///
    /// Kollus's interface has no resumable plays, so a play that can be resumed counts as one more play left.
    public var DRMExpireCount: Int {
        let stored = stored
        let facts = KollusFacts(stored.grant, stored.ledger)
        let isPlayable = stored.grant.status(of: stored.ledger, at: reader.instant()).status.isPlayable
        return isPlayable && facts.playsGranted > 0 ? max(1, facts.playsLeft) : facts.playsLeft
    }
    /// The play time granted, in seconds; 0 means no limit.
    public var DRMTotalExpirePlayTime: Int { Int(facts.secondsGranted) }
    /// The play time left, in seconds; meaningless if ``DRMTotalExpirePlayTime`` is 0.
    public var DRMExpirePlayTime: Int { Int(facts.secondsLeft) }
    /// Whether the user must agree before the license is renewed.
    public var DRMExpireRefreshPopup: Bool { stored.grant.terms.askBeforeRenew }
    /// The item's full state.
    ///
    /// Reading this property also checks the media file.
    public var content: OfflineContent { reader.content(id, at: reader.instant()) }

    /// The same as ``DRMExpireCountMax``.
    public var drmExpireCountMax: Int { DRMExpireCountMax }
    /// The same as ``DRMExpireCount``.
    public var drmExpireCount: Int { DRMExpireCount }
    /// The same as ``DRMTotalExpirePlayTime``.
    public var drmTotalExpirePlayTime: Int { DRMTotalExpirePlayTime }

    private var stored: KeptLicense { reader.storedLicense(id) ?? first }
    private var facts: KollusFacts { KollusFacts(stored.grant, stored.ledger) }
}
