import TenureCore

/// The page after an act, or in its place: what happened, and where to go on.
package struct OutcomeView: Sendable, Hashable {
    /// What came of it.
    package enum Outcome: Sendable, Hashable {
        /// A device was released.
        case released
        /// The vendor stopped the license, so it cannot be given back.
        case stopped
        /// A wish for renewal was written down; nothing stands in its way.
        case asked(app: String, link: PageLink?)
        /// It was written down, and something stands in its way still.
        case askedInVain(app: String, headline: String, cure: String?)
        /// The license is over: there is nothing to renew.
        case over
        /// The account has no such license.
        case unknownLicense
        /// The session ended, or there was none.
        case noSession
        /// The link was used, has expired, or never was one.
        case linkSpent
        /// The form did not come from this page, or from a session before this one.
        case formRefused
        /// Too many attempts.
        case tooMany(retryAfter: Int64)
        /// The server has too much to do.
        case busy
        /// Something broke.
        case failed
        /// The session was ended.
        case signedOut
        /// The place of a device of a license was freed.
        case placeFreed
        /// It was not freed; why, in sentences.
        case placeKept([String])
        /// The session on a license's page ended, or there was none.
        case licenseClosed
        /// The link to a license's page was used, has expired, or never was one.
        case licenseLinkSpent
        /// A device with contents on it was released.
        case contentsReleased
    }

    /// What came of it.
    package let outcome: Outcome
    /// The app that the page before was about.
    package let claims: ResolutionClaims

    /// Describes an outcome.
    package init(_ outcome: Outcome, claims: ResolutionClaims = .none) {
        self.outcome = outcome
        self.claims = claims
    }

    /// The page.
    package func page(in frame: PageFrame) -> Page {
        let words = words(in: frame.language)
        return Page(status: status, title: words.title) {
            Tag.h1 { words.title }
            Tag.section(.class("card")) {
                for sentence in words.text { Tag.p { sentence } }
                Tag.div(.class("acts")) {
                    if case .asked(let app, let link?) = outcome {
                        Tag.a(.class("button"), .href(link)) { "Show \(app) at \(frame.marketplace)" }
                    }
                    // Signing in has no start of its own: it begins in the app.
                    if frame.site != .signIn {
                        Tag.a(.class("button plain"), .href(PageLink(frame.path(for: claims)))) {
                            frame.session == nil
                                ? Spoken("Go to the start", "처음으로")(in: frame.language)
                                : Spoken("Back to your devices", "내 기기로 돌아가기")(in: frame.language)
                        }
                    }
                }
            }
        }
    }

    /// The status that the page is sent with.
    package var status: Int {
        switch outcome {
        case .released, .asked, .askedInVain, .signedOut, .placeFreed, .contentsReleased: 200
        case .formRefused, .noSession, .licenseClosed: 403
        case .unknownLicense: 404
        case .stopped, .over, .placeKept: 409
        case .linkSpent, .licenseLinkSpent: 410
        case .tooMany: 429
        case .busy: 503
        case .failed: 500
        }
    }

    /// Seconds after which it may be tried again; nil when that would not help.
    package var retryAfter: Int64? {
        switch outcome {
        case .tooMany(let seconds): max(1, seconds)
        case .busy: 5
        case .released, .stopped, .asked, .askedInVain, .over, .unknownLicense, .noSession, .linkSpent, .formRefused,
            .failed, .signedOut, .placeFreed, .placeKept, .licenseClosed, .licenseLinkSpent, .contentsReleased:
            nil
        }
    }
}
