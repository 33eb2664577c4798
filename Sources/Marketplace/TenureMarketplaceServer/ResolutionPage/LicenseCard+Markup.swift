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
                if let version { Tag.span { say(.version, ["version": version]) } }
            }
            heading(.id(name)) { headline }
            Tag.p { story }
            for other in others { Tag.p { other } }
            Tag.dl(.class("facts")) {
                for fact in facts {
                    Tag.fact(fact.name) { fact.value.markup(at: now, in: locale) }
                }
            }
            if let cure {
                Tag.p(.class("help")) {
                    Tag.strong { say(.whatToDo) }
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
        guard let session = frame.session, isDelivered, status != .revoked, status != .released else {
            return .nothing
        }
        return Tag.div(.class("acts")) {
            Tag.form(.post, .action(frame.path("renew"))) {
                session.hiddenCode
                claims.fields
                licenseField
                if status.canRenew, status != .fine {
                    Tag.button(.type("submit")) { say(.renewNow) }
                } else {
                    Tag.button(.class("plain"), .type("submit")) { say(.renewNow) }
                }
            }
            if status.canRelease {
                frame.releaseForm(warning: releaseWarning, button: say(.releaseNow)) {
                    claims.fields
                    licenseField
                }
            }
        }
    }

    private var licenseField: Markup {
        Tag.input(.type("hidden"), .name("license"), .value(id.description))
    }

    private var releaseWarning: String {
        guard let end else { return say(.releaseWarning) }
        return end <= now ? say(.releaseWarningExpired) : say(.releaseWarningUntil, on: end)
    }
}

extension LicenseCard.Fact.Value {
    fileprivate func markup(at now: Timestamp, in locale: PageLocale) -> Markup {
        switch self {
        case .text(let text): .text(text)
        case .time(let time):
            .sequence([
                time.markup(in: locale),
                Tag.span(.class("soft")) {
                    locale.language.aside(time.distance(from: now, in: locale.language))
                },
            ])
        }
    }
}
