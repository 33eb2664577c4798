import TenureCore
import TenurePages
import TenureServerKit
import TenureStore

/// Gives back the license of one device because its person said so on the resolution page.
struct ReleaseAppLicense: Sendable {
    let store: any Store
    let clock: any WallClock

    /// What a release comes to.
    enum Outcome: Sendable, Hashable {
        /// It is given back; the license as it is now. Said again, nothing changes.
        case released(AppLicense)
        /// The vendor stopped the license, and giving it back must not undo that.
        case stopped(AppLicense)
        /// The account has no license of that id.
        case unknown
        /// The session ended meanwhile.
        case noSession
    }

    /// Decides and saves with its event in one transaction, in which the session must still work. Throws ``ServerError``.
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
                    return session.release(license, at: now)
                })
        }
    }
}

extension AccountCredential {
    /// A suspended or revoked license stays what it is: the device could get a new one otherwise.
    fileprivate func release(_ license: AppLicense, at now: Timestamp) -> Saving<ReleaseAppLicense.Outcome> {
        switch license.recordedState {
        case .suspended, .revoked: return Saving(.stopped(license))
        case .issued, .active, .expired, .returned: break
        }
        switch license.perform(.giveBack, by: .account(account.account), at: now) {
        case .refused: return Saving(.stopped(license))
        case .granted(var consequences):
            consequences.events = consequences.events.map { $0.adding(SupportReference(of: hash).evidence) }
            return Saving(.released(consequences.licenses.first ?? license), [Save](consequences, over: [license]))
        }
    }
}

extension AppLicense {
    /// Whether it rests on this account's right.
    func belongs(to account: AccountRef) -> Bool {
        tenant == account.tenant && self.account == account.account
    }
}
