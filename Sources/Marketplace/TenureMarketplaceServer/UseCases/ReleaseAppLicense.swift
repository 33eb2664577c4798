import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceContext {
    enum AppReleaseOutcome: Sendable, Hashable {
        /// The license was released, now or before.
        case released(AppLicense)
        /// The vendor suspended or revoked the license, which a release must not undo.
        case stopped(AppLicense)
        /// The account has no license with this id.
        case unknown
        /// The session has ended.
        case noSession
    }

    /// Releases a device's licenses of an app at the person's request, in one transaction that also checks the session.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func releaseAppLicense(
        _ license: LicenseID, by token: SessionToken, at tenant: TenantID
    ) async throws(ServerError) -> AppReleaseOutcome {
        let now = clock.now()
        let queries = OwnAppLicense.plan.queries
        let bound = OwnAppLicense.bind(license, by: token)
        return try await store.perform(
            Transaction(bound) { results -> TransactionResult<AppReleaseOutcome> in
                guard let session = results[queries.session], session.isSession(at: tenant, now: now) else {
                    return TransactionResult(.noSession)
                }
                guard let license = results[queries.licenses.license], license.belongs(to: session.account) else {
                    return TransactionResult(.unknown)
                }
                return session.release(license, with: queries.licenses.licenses(in: results), at: now)
            })
    }
}

extension AccountCredential {
    /// Releases the license unless it's suspended or revoked, because the device could then get a new one.
    fileprivate func release(
        _ license: AppLicense, with others: [AppLicense], at now: Timestamp
    ) -> TransactionResult<MarketplaceContext.AppReleaseOutcome> {
        if others.contains(where: { $0.recordedState == .suspended }) { return TransactionResult(.stopped(license)) }
        switch license.recordedState {
        case .suspended, .revoked: return TransactionResult(.stopped(license))
        case .issued, .active, .expired, .returned: break
        }
        switch license.perform(.giveBack, with: others, by: .account(account.account), at: now) {
        case .refused: return TransactionResult(.stopped(license))
        case .granted(var consequences):
            consequences.events = consequences.events.map { $0.adding(SupportReference(of: hash).evidence) }
            return TransactionResult(
                .released(consequences.licenses.first { $0.id == license.id } ?? license),
                [RowWrite](consequences, over: others))
        }
    }
}

extension AppLicense {
    func belongs(to account: AccountRef) -> Bool {
        tenant == account.tenant && self.account == account.account
    }
}
