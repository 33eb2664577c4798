import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    enum RenewalOutcome: Sendable, Hashable {
        /// The request to renew this license was recorded.
        case bind(AppLicense)
        /// The license was released or revoked, so it can't be renewed.
        case over(AppLicense)
        /// The account has no license with this id.
        case unknown
        /// The session has ended.
        case noSession
    }

    /// Records that a person requests a license's renewal, in one transaction that also checks the session.
    ///
    /// A server can't push a license to a device. So this saves an event. The marketplace app, which polls for changes,
    /// then makes the device request the renewal (Apple's documentation).
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func askForRenewal(
        _ license: LicenseID, by token: SessionToken, at tenant: TenantID
    ) async throws(ServerError) -> RenewalOutcome {
        let now = clock.now()
        let queries = OwnAppLicense.plan.queries
        let bound = OwnAppLicense.bind(license, by: token)
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<RenewalOutcome> in
                guard let session = results[queries.session], session.isSession(at: tenant, now: now) else {
                    return TransactionResult(.noSession)
                }
                guard let license = results[queries.licenses.license], license.belongs(to: session.account) else {
                    return TransactionResult(.unknown)
                }
                if license.recordedState.isFinal { return TransactionResult(.over(license)) }
                let event = Event(
                    .accountRenewalAsked, at: now, actor: .account(session.account.account),
                    about: .init(session.account, app: license.item, license: license.id),
                    facts: [SupportReference(of: session.hash).evidence])
                return TransactionResult(.bind(license), [.event(event)])
            })
    }
}
