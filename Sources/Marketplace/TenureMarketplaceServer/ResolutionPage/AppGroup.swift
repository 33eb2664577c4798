import TenureCore
import TenureMarketplace
import TenureServerKit

/// One app of an account on a page: its license cards, or a text if it has no license.
struct AppGroup: Sendable, Hashable {
    let name: String
    let explained: ExplainedApp
    let now: Timestamp
    /// The cards to show: first apps that don't open, then those that will stop, those that open, and ended licenses.
    let shown: [LicenseCard]
    /// The number of cards that aren't shown.
    let hidden: Int
    private let locale: PageLocale

    init(_ explained: ExplainedApp, at now: Timestamp, in locale: PageLocale) {
        self.locale = locale
        self.explained = explained
        self.now = now
        name = AppName(of: explained.app, item: explained.item).text
        let cards = explained.licenses.map { LicenseCard($0, of: explained.app, at: now, in: locale) }.sorted(
            by: Self.isBefore)
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
                shown.enumerated().map { index, card in
                    card.markup(first + index, under: heading, in: frame, for: claims)
                }),
            hidden == 0 ? .nothing : Tag.p(.class("soft")) { say(.olderHidden, count: hidden) },
        ])
    }

    /// A sentence about the number of devices in use.
    ///
    /// The sentence is left out if the app has no device limit, or if the account has no grant or no license.
    private var places: Markup {
        guard let limit = explained.app?.rules.deviceLimit, explained.grant != nil, !explained.licenses.isEmpty else {
            return .nothing
        }
        let free = max(0, limit - explained.devices)
        let room = free == 0 ? say(.roomNone) : say(.room, count: free)
        let used = ResolutionPageText.devicesInUse(
            in: locale.language, count: limit, ["used": String(explained.devices)])
        return Tag.p(.class("soft")) { locale.language.row([used, room]) }
    }

    private func absence(under heading: Tag, in frame: PageFrame) -> Markup {
        Tag.section(.class("card")) {
            heading { say(.noLicense) }
            Tag.p { absenceStory }
            if let link = explained.app?.shareLink(of: frame.tenant) {
                Tag.a(.class("button plain"), .href(link)) { say(.show) }
            }
        }
    }

    private var absenceStory: String {
        guard let grant = explained.grant else { return say(.notYours) }
        if let ended = grant.endedAt { return say(.accessEndedOn, on: ended) }
        if let end = grant.term.end, end <= now { return say(.subscriptionEndedOn, on: end) }
        return say(.canUse)
    }

    private func say(_ text: ResolutionPageText, count: Int? = nil, on date: Timestamp? = nil) -> String {
        text(in: locale.language, count: count, ["app": name, "date": date?.forPeople(in: locale) ?? ""])
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
