import TenureCore
import TenurePages
import TenureServerKit
import TenureStore

/// Writes down that a person wants a license renewed.
///
/// No server can push a license to a device: the wish is an event, and the marketplace app, which polls what changed,
/// asks the device to renew (`spec/apple.md` §2).
struct AskForRenewal: Sendable {
    let store: any Store
    let clock: any WallClock

    /// What a wish comes to.
    enum Outcome: Sendable, Hashable {
        /// It is written down.
        case asked(AppLicense)
        /// The license was given back or revoked: there is nothing to renew.
        case over(AppLicense)
        /// The account has no license of that id.
        case unknown
        /// The session ended meanwhile.
        case noSession
    }

    /// Saves the wish in one transaction, in which the session must still work. Throws ``ServerError``.
    func callAsFunction(
        _ license: LicenseID, by token: SessionToken, at tenant: TenantID
    ) async throws(ServerError) -> Outcome {
        let now = clock.now()
        let looks = OwnAppLicense.form.looks
        let asked = OwnAppLicense.asked(license, by: token)
        return try await asking { () async throws(StoreError) in
            try await store.perform(
                Change(asked) { seen -> Saving<Outcome> in
                    guard let session = seen[looks.session], session.isSession(at: tenant, now: now) else {
                        return Saving(.noSession)
                    }
                    guard let license = seen[looks.license], license.belongs(to: session.account) else {
                        return Saving(.unknown)
                    }
                    if license.recordedState.isFinal { return Saving(.over(license)) }
                    let event = session.event(.accountRenewalAsked, at: now, about: license)
                    return Saving(.asked(license), [.event(event)])
                })
        }
    }
}
