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
        let groups = explained.apps.map { AppGroup($0, at: explained.now, in: frame.locale) }
        let name = claims.item == nil ? nil : groups.first?.name
        let language = frame.language
        let title =
            name.map { ResolutionPageText.appOnDevices(in: language, ["app": $0]) }
            ?? ResolutionPageText.yourApps(in: language)
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { summary(of: groups, in: language) }
            }
            if name == nil {
                for (index, group) in groups.enumerated() {
                    group.section(index + 1, in: frame, for: claims, from: cardsBefore(index, groups))
                }
            } else if let group = groups.first {
                Tag.div(.class("cards")) {
                    group.cards(under: .h2, in: frame, for: claims, from: 1)
                }
                Tag.p { Tag.a(.href(PageLink(frame.path()))) { ResolutionPageText.showAll(in: language) } }
            }
        }
    }

    private func cardsBefore(_ index: Int, _ groups: [AppGroup]) -> Int {
        groups.prefix(index).reduce(1) { $0 + $1.shown.count }
    }

    private func summary(of groups: [AppGroup], in language: PageLanguage) -> String {
        let lights = groups.flatMap(\.shown).map(\.light)
        let closed = lights.count { $0 == .closed }
        let soon = lights.count { $0 == .opensUntil }
        if lights.allSatisfy({ $0 == .over }) {
            return (groups.isEmpty ? ResolutionPageText.noApps : .noDevice)(in: language)
        }
        if closed + soon == 0 { return ResolutionPageText.allFine(in: language) }
        let counted = [(ResolutionPageText.needAttention, closed), (.expireSoon, soon)].filter { $0.1 > 0 }
        return language.row(counted.map { $0.0(in: language, count: $0.1) })
    }
}
