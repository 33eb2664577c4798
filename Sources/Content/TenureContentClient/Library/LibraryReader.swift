import TenureClient
import TenureContent
import TenureCore

/// Reads the stored state of a library from any thread without waiting for the actor.
struct LibraryReader: Sendable {
    let shared: SharedLedger
    let clock: any DeviceClock
    let mediaCheck: @Sendable (MediaFile) -> Bool

    /// The current trusted time, with whether the clock was set back and when a server last signed the time.
    func instant() -> ContentStatus.Moment {
        let marks = shared.read { $0.marks }
        let trusted = TrustedTime(clock.read(), marks: marks)
        return ContentStatus.Moment(
            trusted.now, isSetBack: trusted.verdict != .believed, signedAt: marks?.signed?.timestamp)
    }

    /// The license of a content item; `nil` if it isn't stored.
    func storedLicense(_ content: ContentID) -> KeptLicense? { shared.read { $0[content] } }

    /// The content items that have a license, by course and title.
    func keptContents() -> [ContentFacts] {
        let status = shared.read { ledgerContents in
            ledgerContents.holding.keys.map { ledgerContents.contents[$0] ?? ContentFacts($0) }
        }
        return status.sorted {
            ($0.course ?? "", $0.shownTitle, $0.content) < ($1.course ?? "", $1.shownTitle, $1.content)
        }
    }

    /// The state of a content item at a time.
    func content(_ content: ContentID, at instant: ContentStatus.Moment) -> OfflineContent {
        // Only this item's values are copied inside the lock.
        let parts = shared.read { ledgerContents in
            ContentParts(
                facts: ledgerContents.contents[content] ?? ContentFacts(content), stored: ledgerContents[content],
                fate: ledgerContents.fates[content.text])
        }
        return OfflineContent(parts, at: instant, isMediaWhole: mediaCheck)
    }
}
