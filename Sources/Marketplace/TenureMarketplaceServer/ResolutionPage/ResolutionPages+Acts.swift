import TenureCore
import TenureMarketplace
import TenureServerKit

extension MarketplaceContext {
    /// Releases the license of a device. Returns `nil` if the session has ended.
    func releaseOnPage(
        _ act: PageAct<AccountRef>, _ license: LicenseID?
    ) async throws(ServerError) -> OutcomeView.Outcome? {
        guard let license else { return .unknownLicense }
        return switch try await releaseAppLicense(license, by: act.token, at: act.frame.tenant) {
        case .released: .released
        case .stopped: .stopped
        case .unknown: .unknownLicense
        case .noSession: nil
        }
    }

    /// Records a person's request to renew a license and, if the license can't be renewed, returns why and what helps.
    /// Returns `nil` if the session has ended.
    func askForRenewalOnPage(
        _ act: PageAct<AccountRef>, _ license: LicenseID?
    ) async throws(ServerError) -> OutcomeView.Outcome? {
        guard let license else { return .unknownLicense }
        switch try await askForRenewal(license, by: act.token, at: act.frame.tenant) {
        case .over: return .over
        case .unknown: return .unknownLicense
        case .noSession: return nil
        case .bind(let license):
            let explained = try await explainApps(act.owner, of: license.item)
            let app = explained?.apps.first
            guard let now = explained?.now, let own = app?.licenses.first(where: { $0.license.id == license.id }) else {
                return .unknownLicense
            }
            let card = LicenseCard(own, of: app?.app, at: now, in: act.frame.locale)
            return card.status.canRenew
                ? .asked(app: card.appName, link: card.link)
                : .askedInVain(app: card.appName, headline: card.headline, cure: card.cure)
        }
    }
}
