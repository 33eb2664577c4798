/// Where an app license stands and why, for people.
public struct AppLicenseExplanation: Sendable, Hashable {
    /// Its state at the moment asked about.
    public let state: LicenseState
    /// Everything that would keep it from being renewed now, most specific first; empty when nothing does.
    public let reasons: [Reason]
    /// When the answer changes by itself, if ever: the end of the term.
    public let changesAt: Timestamp?
}

extension AppLicense {
    /// Explains the license as its own device would be answered now.
    public func explain(
        of app: MarketplaceApp?, right: AppRight?, access: Marketplace.Access, hasKey: Bool, at now: Timestamp
    ) -> AppLicenseExplanation {
        let own = AppRequester(tenant: tenant, account: account, device: device, request: 0)
        return AppLicenseExplanation(
            state: state(at: now),
            reasons: obstacles(for: own, of: app, right: right, access: access, hasKey: hasKey, at: now),
            changesAt: recordedState.isFinal ? nil : term.end.flatMap { $0 > now ? $0 : nil })
    }
}
