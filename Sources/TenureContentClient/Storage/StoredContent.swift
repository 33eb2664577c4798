// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those that players of this shape have.

public import Foundation
import TenureClient
import TenureCore

/// A kept content in the shape that Kollus's player gives it: 0 of a maximum means that there is no limit.
///
/// Each property tells what is so at the moment of reading, on any thread: after a play, a renewal or the end of a date
/// nothing has to be called first.
public final class StoredContent: Sendable {
    /// The content's name.
    public let mediaContentKey: String
    /// Its name for people.
    public let title: String

    private let id: ContentID
    private let reader: LibraryReader
    /// The license when this was made: its limits are told after it was given back.
    private let first: KeptLicense

    init?(_ facts: ContentFacts, _ reader: LibraryReader) {
        guard let kept = reader.kept(facts.content) else { return nil }
        (id, first, self.reader) = (facts.content, kept, reader)
        (mediaContentKey, title) = (facts.content.text, facts.shownTitle)
    }

    /// Whether it does not play for another reason than plays or play time: the server stopped it, it was given back, or
    /// a date has passed. So the usual three tests, which leave the date out, tell what is so.
    public var DRMExpired: Bool {
        guard let kept = reader.kept(id) else { return true }
        let status = kept.grant.status(of: kept.ledger, at: reader.moment()).status
        return switch status {
        case .valid, .renewalDue, .playsUsedUp, .playTimeUsedUp, .onlineNeeded, .clockSetBack, .notYetValid: false
        case .deleted, .revoked, .returned, .expired, .dateOver, .windowOver, .checkInOverdue: true
        }
    }

    /// The first moment that it does not play; nil without one.
    public var DRMExpireDate: Date? { kept.grant.terms.expiresAt.map(Date.init) }
    /// Plays that were granted; 0 means no limit.
    public var DRMExpireCountMax: Int { facts.playsGranted }
    /// Plays that are left. Of a play that can be gone on with, one is left in this shape, which knows no such thing.
    public var DRMExpireCount: Int {
        let kept = kept
        let facts = KollusFacts(kept.grant, kept.ledger)
        let isPlayable = kept.grant.status(of: kept.ledger, at: reader.moment()).status.isPlayable
        return isPlayable && facts.playsGranted > 0 ? max(1, facts.playsLeft) : facts.playsLeft
    }
    /// Seconds of play time that were granted; 0 means no limit.
    public var DRMTotalExpirePlayTime: Int { Int(facts.secondsGranted) }
    /// Seconds of play time that are left.
    public var DRMExpirePlayTime: Int { Int(facts.secondsLeft) }
    /// Whether the person is to be asked before it is renewed.
    public var DRMExpireRefreshPopup: Bool { kept.grant.terms.askBeforeRenew }
    /// Where it stands, with all there is to say. Looks for the media too.
    public var content: OfflineContent { reader.content(id) }

    /// The same as ``DRMExpireCountMax``.
    public var drmExpireCountMax: Int { DRMExpireCountMax }
    /// The same as ``DRMExpireCount``.
    public var drmExpireCount: Int { DRMExpireCount }
    /// The same as ``DRMTotalExpirePlayTime``.
    public var drmTotalExpirePlayTime: Int { DRMTotalExpirePlayTime }

    private var kept: KeptLicense { reader.kept(id) ?? first }
    private var facts: KollusFacts { KollusFacts(kept.grant, kept.ledger) }
}
