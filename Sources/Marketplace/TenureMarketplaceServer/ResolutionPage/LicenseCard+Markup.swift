import TenureCore
import TenureServerKit

extension LicenseCard {
    /// Renders the card.
    ///
    /// - Parameters:
    ///   - number: The card's number on the page, from 1.
    ///   - heading: The heading tag for the card's level on the page.
    func markup(_ number: Int, under heading: Tag, in frame: PageFrame, for claims: ResolutionClaims) -> Markup {
        let name = ElementID("license", number)
        return Tag.article(.class("card"), .labelled(by: name)) {
            Tag.div(.class("device")) {
                lamp
                Tag.span { device }
                if let version { Tag.span { "Version \(version)" } }
            }
            heading(.id(name)) { headline }
            Tag.p { story }
            for other in others { Tag.p { other } }
            Tag.dl(.class("facts")) {
                for fact in facts {
                    Tag.div {
                        Tag.dt { fact.name }
                        Tag.dd { fact.value.markup(at: now) }
                    }
                }
            }
            if let cure {
                Tag.p(.class("help")) {
                    Tag.strong { "What to do" }
                    cure
                }
            }
            if let byItself { Tag.p(.class("soft")) { byItself } }
            acts(in: frame, for: claims)
        }
    }

    private var lamp: Markup {
        switch light {
        case .opens: Tag.span(.class("mark good")) { mark }
        case .opensUntil: Tag.span(.class("mark warn")) { mark }
        case .closed: Tag.span(.class("mark stop")) { mark }
        case .over: Tag.span(.class("mark over")) { mark }
        }
    }

    private func acts(in frame: PageFrame, for claims: ResolutionClaims) -> Markup {
        guard let session = frame.session, standing != .revoked, standing != .released else { return .nothing }
        return Tag.div(.class("acts")) {
            Tag.form(.post, .action(frame.path("renew"))) {
                session.hiddenCode
                claims.fields
                licenseField
                if standing.canRenew, standing != .fine {
                    Tag.button(.type("submit")) { "Renew now" }
                } else {
                    Tag.button(.class("plain"), .type("submit")) { "Renew now" }
                }
            }
            if standing.canRelease {
                Tag.details {
                    Tag.summary { "Release this device" }
                    Tag.form(.post, .action(frame.path("release"))) {
                        Tag.p(.class("small")) { releaseWarning }
                        session.hiddenCode
                        claims.fields
                        licenseField
                        Tag.button(.class("danger"), .type("submit")) { "Yes, release it" }
                    }
                }
            }
        }
    }

    private var licenseField: Markup {
        Tag.input(.type("hidden"), .name("license"), .value(id.description))
    }

    private var releaseWarning: String {
        if let end, end <= now {
            return
                "Its license has expired and no longer counts against your limit. Once released, it can’t be renewed, "
                + "and this can’t be undone. To use \(appName) on this device again, install it again."
        }
        let until = end.map { " by \($0.forPeople) at the latest" } ?? ""
        return "You can use \(appName) on another device right away. It stops opening on this one\(until), "
            + "and this can’t be undone. To use it here again, install it again."
    }
}

extension LicenseCard.Fact.Value {
    fileprivate func markup(at now: Timestamp) -> Markup {
        switch self {
        case .text(let text): .text(text)
        case .moment(let moment):
            .sequence([moment.markup, Tag.span(.class("soft")) { " (\(moment.distance(from: now)))" }])
        }
    }
}
