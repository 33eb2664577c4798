import TenureCore
package import TenureServerKit

/// The page for a session: the apps of its account, with one card for each license.
package struct PersonalView: Sendable, Hashable {
    /// The claims in the page's URL.
    package let claims: ResolutionClaims
    /// The account's apps with their licenses.
    package let explained: ExplainedApps

    package init(_ claims: ResolutionClaims, _ explained: ExplainedApps) {
        self.claims = claims
        self.explained = explained
    }

    /// The maximum number of cards to show for an app.
    static let mostCards = 50

    package func page(in frame: PageFrame) -> Page {
        let groups = explained.apps.map { AppGroup($0, at: explained.now) }
        let name = claims.item == nil ? nil : groups.first?.name
        let title = name.map { "\($0) on your devices" } ?? "Your apps"
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { summary(of: groups) }
            }
            if name == nil {
                for (place, group) in groups.enumerated() {
                    group.section(place + 1, in: frame, for: claims, from: cardsBefore(place, groups))
                }
            } else if let group = groups.first {
                Tag.div(.class("cards")) {
                    group.cards(under: .h2, in: frame, for: claims, from: 1)
                }
                Tag.p { Tag.a(.href(PageLink(frame.path()))) { "Show all your apps" } }
            }
        }
    }

    private func cardsBefore(_ place: Int, _ groups: [AppGroup]) -> Int {
        groups.prefix(place).reduce(1) { $0 + $1.shown.count }
    }

    private func summary(of groups: [AppGroup]) -> String {
        let lights = groups.flatMap(\.shown).map(\.light)
        let closed = lights.count { $0 == .closed }
        let soon = lights.count { $0 == .opensUntil }
        if lights.allSatisfy({ $0 == .over }) {
            return groups.isEmpty
                ? "This account has no apps yet." : "There is no device with a license at the moment."
        }
        if closed + soon == 0 { return "Everything is fine." }
        return [
            closed == 0
                ? nil : closed == 1 ? "One license needs your attention" : "\(closed) licenses need your attention",
            soon == 0 ? nil : soon == 1 ? "one expires soon" : "\(soon) expire soon",
        ].compactMap(\.self).joined(separator: ", ").capitalisedFirst + "."
    }
}

extension String {
    fileprivate var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
