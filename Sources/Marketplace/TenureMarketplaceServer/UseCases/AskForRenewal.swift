import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// Records that a person wants a license renewed.
///
/// A server can't push a license to a device. So this saves an event, and the marketplace app, which polls for changes,
/// asks the device to renew (`spec/apple.md` §2).
struct AskForRenewal: Sendable {
    let store: any Store
    let clock: any WallClock

    /// The result of a renewal request.
    enum Outcome: Sendable, Hashable {
        /// The request was recorded.
        case asked(AppLicense)
        /// The license was released or revoked, so it can't be renewed.
        case over(AppLicense)
        /// The account has no license with this id.
        case unknown
        /// The session has ended.
        case noSession
    }

    /// Saves the request in one transaction that also checks the session.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func callAsFunction(
        _ license: LicenseID, by token: SessionToken, at tenant: TenantID
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let looks = OwnAppLicense.form.looks
        let asked = OwnAppLicense.asked(license, by: token)
        return try await asking {
            try await store.perform(
                Transaction(asked) { seen -> TransactionResult<Outcome> in
                    guard let session = seen[looks.session], session.isSession(at: tenant, now: now) else {
                        return TransactionResult(.noSession)
                    }
                    guard let license = seen[looks.license], license.belongs(to: session.account) else {
                        return TransactionResult(.unknown)
                    }
                    if license.recordedState.isFinal { return TransactionResult(.over(license)) }
                    let event = session.event(.accountRenewalAsked, at: now, about: license)
                    return TransactionResult(.asked(license), [.event(event)])
                })
        }
    }
}
