import TenureCore
import TenureServerKit
import TenureStore

/// Tells a marketplace app which of an account's apps it should ask the system to renew: the only way to reach a device
/// before its own daily job does (`spec/apple.md` §2).
struct ReadLicenseNews: Sendable {
    let store: any Store
    let catalog: CatalogCache
    let clock: any WallClock

    /// Why an app should be renewed now.
    enum Cause: String, Sendable, Hashable {
        /// Its license ends within the days that the app's rules name.
        case due
        /// Its license was suspended, revoked or returned: the device is told by a renewal, and stops.
        case stopped
        /// Something that decides about it changed since the cursor.
        case changed
        /// It ended a fortnight ago or more: whoever still has the app asks for it when it is opened.
        case expired

        /// Whether the system is to be asked for a renewal.
        var wantsRenewal: Bool { self != .expired }
    }

    /// One license of the account.
    struct Entry: Sendable {
        let license: AppLicense
        let state: License.State
        /// Nil when nothing needs to be done.
        let cause: Cause?
    }

    /// What there is to know, and where to go on next time.
    struct News: Sendable {
        let entries: [Entry]
        let cursor: Int64
        /// Whether there was more than one answer holds; ask again with the cursor.
        let hasMore: Bool
    }

    /// Reads the account's licenses that have not been replaced; stopped ones only if they stopped after the cursor.
    ///
    /// Answers nil when the tenant has no marketplace. Throws ``ServerError``.
    func callAsFunction(of account: AccountRef, since cursor: Int64) async throws(ServerError) -> News? {
        let snapshot = try await catalog.refreshIfChanged()
        guard let marketplace = snapshot.catalog.tenants[account.tenant]?.marketplace else { return nil }
        let now = clock.now()
        // The events first: what changes between the two reads is told again next time rather than never.
        let filter = EventFilter(tenant: account.tenant, account: account.account)
        let events = try await asking { () async throws(StoreError) in
            try await store.events(filter, after: cursor, limit: Self.page)
        }
        let hasMore = events.count == Self.page
        let news = events.filter { $0.event.kind.isNewsForApps }
        let licenses = try await asking { () async throws(StoreError) in try await self.licenses(of: account, at: now) }
        let entries = licenses.compactMap { license -> Entry? in
            let issued = events.first {
                $0.event.kind == .appLicenseIssued && $0.event.subject.license == license.id
            }
            let isTold = news.contains { record in
                let subject = record.event.subject
                if subject.license == license.id { return true }
                guard subject.license == nil, subject.app == license.item else { return false }
                // A license that was issued after a grant already rests on it.
                if let issued { return record.sequence > issued.sequence }
                return !hasMore || record.event.at >= license.issuedAt
            }
            let state = license.state(at: now)
            let isStopped = license.recordedState.isFinal || license.recordedState == .suspended
            if isStopped { return isTold ? Entry(license: license, state: state, cause: .stopped) : nil }
            if isTold { return Entry(license: license, state: state, cause: .changed) }
            if marketplace.stops(license) { return Entry(license: license, state: state, cause: .stopped) }
            switch license.standing(under: marketplace.apps[license.item]?.rules, at: now) {
            case .forgotten: return nil
            case .cause(let cause): return Entry(license: license, state: state, cause: cause)
            }
        }
        return News(
            entries: entries, cursor: events.last?.sequence ?? cursor, hasMore: hasMore)
    }

    private func licenses(of account: AccountRef, at now: Timestamp) async throws(StoreError) -> [AppLicense] {
        let filter = AppLicenseFilter(tenant: account.tenant, account: account.account, now: now)
        var all: [AppLicense] = []
        var page: [AppLicense]
        repeat {
            page = try await store.appLicenses(filter, after: all.last?.id, limit: Self.page)
            all += page
        } while page.count == Self.page
        return all.filter { !$0.isReplaced }
    }

    private static let page = 1000
}

extension AppLicense {
    fileprivate enum Standing {
        case cause(ReadLicenseNews.Cause?)
        /// It ended so long ago that it would not be renewed, or that nobody asks for it any more.
        case forgotten
    }

    /// How a license stands that nobody stopped and nothing has changed about. A device that was lost would otherwise be
    /// named for ever.
    fileprivate func standing(under rules: AppLicenseRules?, at now: Timestamp) -> Standing {
        guard let end = term.end else { return .cause(nil) }
        let rules = rules ?? AppLicenseRules()
        if now >= end.adding(days: rules.renewAfterExpiryDays ?? 90), now >= end { return .forgotten }
        if now >= end.adding(days: 14) { return .cause(.expired) }
        return .cause(end <= now.adding(days: rules.renewAheadDays) ? .due : nil)
    }
}

extension Marketplace {
    /// Whether a license's app or version was taken down, so that its next renewal stops it, and no renewal has yet.
    fileprivate func stops(_ license: AppLicense) -> Bool {
        guard let app = apps[license.item], app.rules.revokeOnTakedown, license.failedAt == nil else { return false }
        return app.isWithdrawn || app.versions[license.asset.version]?.availability.isWithdrawn ?? false
    }
}

extension EventKind {
    /// Whether a device that has an app should ask again because of it.
    fileprivate var isNewsForApps: Bool {
        [
            .appLicenseSuspended, .appLicenseReinstated, .appLicenseRevoked, .appLicenseReturned, .appGranted,
            .appGrantEnded, .accountRenewalAsked,
        ].contains(self)
    }
}
