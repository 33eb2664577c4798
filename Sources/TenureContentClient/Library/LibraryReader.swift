import TenureClient
import TenureCore

/// Reads a library from any thread without waiting for it: what is on disk, at the moment of reading.
struct LibraryReader: Sendable {
    let shared: SharedShelf
    let clock: any DeviceClock
    let mediaCheck: @Sendable (MediaFile) -> Bool

    /// The moment, as far as the device can know it.
    func moment() -> ContentMoment {
        let marks = shared.read { $0.marks }
        let trusted = TrustedTime(clock.read(), marks: marks)
        return ContentMoment(
            trusted.now, isSetBack: trusted.verdict != .believed, signedAt: marks?.signed?.timestamp)
    }

    /// The license of a content; nil when it isn't kept.
    func kept(_ content: ContentID) -> KeptLicense? { shared.read { $0[content] } }

    /// The contents that have a license, by course and title.
    func keptContents() -> [ContentFacts] {
        let kept = shared.read { shelf in shelf.holding.keys.map { shelf.contents[$0] ?? ContentFacts($0) } }
        return kept.sorted {
            ($0.course ?? "", $0.shownTitle, $0.content) < ($1.course ?? "", $1.shownTitle, $1.content)
        }
    }

    /// A content as it stands now.
    func content(_ content: ContentID) -> OfflineContent {
        let moment = moment()
        // The license and the facts of one content; its other tables are left where they are.
        let parts = shared.read { shelf in
            ContentParts(
                facts: shelf.contents[content] ?? ContentFacts(content), kept: shelf[content],
                fate: shelf.fates[content.text])
        }
        return OfflineContent(parts, at: moment, isMediaWhole: mediaCheck)
    }
}
