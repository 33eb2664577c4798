import TenureCore

/// The page that shows the outcome of an action, and links to the person's next steps.
package struct OutcomeView: Sendable, Hashable {
    /// The outcome of an action.
    package enum Outcome: Sendable, Hashable {
        /// A device with an app's license was released.
        case released
        /// The device can't be released, because the vendor has suspended or revoked its license.
        case stopped
        /// A new license for the app was requested, and nothing prevents it. The link leads to more about the app;
        /// `nil` if the catalog no longer lists it.
        case asked(app: String, link: PageLink?)
        /// A new license for the app was requested, but something still prevents it. The headline names the problem,
        /// and `cure` its remedy, if there is one.
        case askedInVain(app: String, headline: String, cure: String?)
        /// The license has ended, so it can't be renewed.
        case over
        /// The account has no license that fits the claims.
        case unknownLicense
        /// The session has ended, or there was none.
        case noSession
        /// The link has been used, has expired or never existed.
        case linkSpent
        /// The form doesn't come from a page of this server, or comes from an earlier session.
        case formRefused
        /// There were too many attempts. The next attempt is allowed after this many seconds.
        case tooMany(retryAfter: Int64)
        case busy
        case failed
        case signedOut
        /// The device with this name was released from a license.
        case deviceReleased(String)
        /// A device of a license wasn't released. The sentences give the reasons.
        case placeKept([String])
        /// The session on a license's page has ended, or there was none.
        case licenseClosed
        /// The link to a license's page has been used, has expired or never existed.
        case licenseLinkSpent
        /// A device was released, and all content on it was returned. The text is the device's name; `nil` if it's
        /// unknown.
        case contentsReleased(String?)
    }

    package let outcome: Outcome
    /// The claims of the previous page, which the link to the start page repeats.
    package let claims: ResolutionClaims

    package init(_ outcome: Outcome, claims: ResolutionClaims = .none) {
        self.outcome = outcome
        self.claims = claims
    }

    package func page(in frame: PageFrame) -> Page {
        let words = words(in: frame.language)
        return Page(status: status, title: words.title) {
            Tag.h1 { words.title }
            Tag.section(.class("card")) {
                for sentence in words.text { Tag.p { sentence } }
                Tag.div(.class("acts")) {
                    if case .asked(let app, let link?) = outcome {
                        Tag.a(.class("button"), .href(link)) {
                            FrameText.showApp(in: frame.language, ["app": app, "marketplace": frame.marketplace])
                        }
                    }
                    if frame.site.hasStartPage {
                        Tag.a(.class("button plain"), .href(PageLink(frame.path(for: claims)))) {
                            (frame.session == nil ? FrameText.toStart : frame.site.backToStart)(in: frame.language)
                        }
                    }
                }
            }
        }
    }

    /// The page's HTTP status.
    package var status: Int {
        switch outcome {
        case .released, .asked, .askedInVain, .signedOut, .deviceReleased, .contentsReleased: 200
        case .formRefused, .noSession, .licenseClosed: 403
        case .unknownLicense: 404
        case .stopped, .over, .placeKept: 409
        case .linkSpent, .licenseLinkSpent: 410
        case .tooMany: 429
        case .busy: 503
        case .failed: 500
        }
    }

    /// The seconds after which the person can try again; `nil` if trying again doesn't help.
    package var retryAfter: Int64? {
        switch outcome {
        case .tooMany(let seconds): max(1, seconds)
        case .busy: 5
        case .released, .stopped, .asked, .askedInVain, .over, .unknownLicense, .noSession, .linkSpent, .formRefused,
            .failed, .signedOut, .deviceReleased, .placeKept, .licenseClosed, .licenseLinkSpent, .contentsReleased:
            nil
        }
    }
}
