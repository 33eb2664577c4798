import TenureCore
import TenureMarketplace
import TenureServerKit

/// One app of an account on a page: its license cards, or a text if it has no license.
struct AppGroup: Sendable, Hashable {
    let name: String
    let explained: ExplainedApp
    let now: Timestamp
    /// The cards to show, those that need attention first.
    let shown: [LicenseCard]
    /// The number of cards that aren't shown.
    let hidden: Int

    init(_ explained: ExplainedApp, at now: Timestamp) {
        self.explained = explained
        self.now = now
        name = AppName(of: explained.app, item: explained.item).text
        let cards = explained.licenses.map { LicenseCard($0, of: explained.app, at: now) }.sorted(by: Self.isBefore)
        shown = Array(cards.prefix(PersonalView.mostCards))
        hidden = cards.count - shown.count
    }

    /// The app's heading and cards, for a page with several apps.
    func section(_ number: Int, in frame: PageFrame, for claims: ResolutionClaims, from first: Int) -> Markup {
        let title = ElementID("app", number)
        return Tag.section(.class("app"), .labelled(by: title)) {
            Tag.h2(.id(title)) { name }
            cards(under: .h3, in: frame, for: claims, from: first)
        }
    }

    func cards(under heading: Tag, in frame: PageFrame, for claims: ResolutionClaims, from first: Int) -> Markup {
        .sequence([
            places,
            shown.isEmpty ? absence(under: heading, in: frame) : .nothing,
            .sequence(
                shown.enumerated().map { place, card in
                    card.markup(first + place, under: heading, in: frame, for: claims)
                }),
            hidden == 0 ? .nothing : Tag.p(.class("soft")) { "\(hidden) older licenses aren’t shown." },
        ])
    }

    /// A sentence about the number of devices in use.
    ///
    /// It is left out if the app has no device limit, or if the account has no grant or no license.
    private var places: Markup {
        guard let limit = explained.app?.rules.deviceLimit, explained.grant != nil, !explained.licenses.isEmpty else {
            return .nothing
        }
        let free = max(0, limit - explained.devices)
        let room =
            switch free {
            case 0: "Release one to use another."
            case 1: "You can use one more."
            default: "You can use \(free) more."
            }
        return Tag.p(.class("soft")) { "\(explained.devices) of \(limit) devices in use. \(room)" }
    }

    private func absence(under heading: Tag, in frame: PageFrame) -> Markup {
        Tag.section(.class("card")) {
            heading { "No device has a license" }
            Tag.p { absenceStory }
            if let link = explained.app?.shareLink(of: frame.tenant) {
                Tag.a(.class("button plain"), .href(link)) { "Show \(name)" }
            }
        }
    }

    private var absenceStory: String {
        guard let grant = explained.grant else {
            return "This account doesn’t have \(name). Get it in the marketplace app, or sign in with the account "
                + "that has it."
        }
        if let ended = grant.endedAt { return "The vendor ended this account’s access on \(ended.forPeople)." }
        if let end = grant.term.end, end <= now {
            return "Your subscription ended on \(end.forPeople). Renew it in the marketplace app."
        }
        return "You can use \(name) with this account. Install it from the marketplace app to license a device."
    }

    private static func isBefore(_ one: LicenseCard, _ other: LicenseCard) -> Bool {
        let (here, there) = (rank(one.light), rank(other.light))
        return here == there ? (other.issuedAt, other.id) < (one.issuedAt, one.id) : here < there
    }

    private static func rank(_ light: LicenseCard.Light) -> Int {
        switch light {
        case .closed: 0
        case .opensUntil: 1
        case .opens: 2
        case .over: 3
        }
    }
}
