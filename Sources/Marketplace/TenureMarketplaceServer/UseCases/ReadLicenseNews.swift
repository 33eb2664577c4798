import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

/// An account's licenses, and the apps to renew, as reported to a marketplace app.
///
/// This is the only way to reach a device before the device's own daily check (Apple's documentation).
struct AppLicenseNews: Sendable {
    let entries: [Entry]
    /// The cursor for the next call.
    let cursor: Int64
    /// Whether there are more events; if so, call again with ``cursor``.
    let hasMore: Bool

    /// Why an app of the account is reported.
    enum Cause: String, Sendable, Hashable {
        /// The app's license expires within ``AppLicense/Rules/renewAheadDays``, or has no end although a renewal would
        /// set one.
        case due
        /// The app's license was suspended, revoked or returned, or the app or version was withdrawn.
        ///
        /// The renewal will be refused, and then the device no longer starts the app.
        case stopped
        /// An event since the cursor concerns the app's license.
        case changed
        /// A renewal was refused in the current term, but would be granted now.
        ///
        /// If the reason was that the license couldn't be written, the asset has a different key now.
        case renewable
        /// The app's license expired at least 14 days ago; a device that still has the app requests a renewal when the
        /// app is opened.
        case expired

        /// Whether the marketplace app should request a renewal.
        var wantsRenewal: Bool { self != .expired }
    }

    /// One license of the account.
    struct Entry: Sendable {
        let license: AppLicense
        let state: LifecycleState
        /// Why the license's app is reported; `nil` if there's no need to renew the license.
        let cause: Cause?
    }
}

extension MarketplaceContext {
    /// Reads the account's licenses that reached their device, except replaced ones. A replaced license is included if
    /// the device has tried to renew it since.
    ///
    /// Licenses that were suspended, revoked or returned before the cursor are left out, and so are those that expired
    /// longer ago than the app's rules allow for a renewal, or 90 days ago if the rules set no limit. Returns `nil` if
    /// the tenant has no marketplace.
    ///
    /// - Throws: ``ServerError`` if the store fails.
    func licenseNews(
        of account: AccountRef, since cursor: Int64
    ) async throws(ServerError) -> AppLicenseNews? {
        let snapshot = try await catalog.refreshIfChanged()
        guard let marketplace = snapshot.catalog.tenants[account.tenant]?.marketplace else { return nil }
        let now = clock.now()
        // Read the events first. A change between the two reads is then reported twice instead of never.
        let filter = EventFilter(tenant: account.tenant, account: account.account)
        let events = try await store.events(filter, after: cursor, limit: newsPageSize)
        let hasMore = events.count == newsPageSize
        let news = events.filter { $0.event.kind.isNewsForApps }
        let licenses = try await self.licenses(of: account, at: now)
        let unusable = try await store.licensesWithUnusableKey(among: licenses, of: account.tenant)
        let renewable = try await self.renewable(
            licenses.filter { !unusable.contains($0.id) }, of: account, at: marketplace, at: now)
        let ends = try await self.grantEnds(licenses, of: account, at: marketplace)
        let entries = licenses.compactMap { license -> AppLicenseNews.Entry? in
            let issued = events.first {
                $0.event.kind == .appLicenseIssued && $0.event.subject.license == license.id
            }
            let isTold = news.contains { record in
                let subject = record.event.subject
                if subject.license == license.id { return true }
                guard subject.license == nil, subject.app == license.item else { return false }
                // A license that was issued after a grant event already reflects it.
                if let issued { return record.sequence > issued.sequence }
                return !hasMore || record.event.at >= license.issuedAt
            }
            let state = license.state(at: now)
            let isStopped = license.recordedState.isFinal || license.recordedState == .suspended
            if isStopped { return isTold ? .init(license: license, state: state, cause: .stopped) : nil }
            if isTold { return .init(license: license, state: state, cause: .changed) }
            if renewable.contains(license.id) { return .init(license: license, state: state, cause: .renewable) }
            if marketplace.stops(license) { return .init(license: license, state: state, cause: .stopped) }
            let rules = marketplace.apps[license.item]?.rules
            switch license.status(under: rules, hasGrantEnd: ends.contains(license.item), at: now) {
            case .forgotten: return nil
            // The renewal couldn't be written with the asset's current key. If the device tried again, it would stop
            // the app although the license's term still runs.
            case .cause(.due) where unusable.contains(license.id):
                return .init(license: license, state: state, cause: nil)
            case .cause(let cause): return .init(license: license, state: state, cause: cause)
            }
        }
        return AppLicenseNews(
            entries: entries, cursor: events.last?.sequence ?? cursor, hasMore: hasMore)
    }

    private func licenses(of account: AccountRef, at now: Timestamp) async throws(ServerError) -> [AppLicense] {
        let filter = AppLicenseFilter(tenant: account.tenant, account: account.account, now: now)
        var all: [AppLicense] = []
        var page: [AppLicense]
        var last: LicenseID?
        repeat {
            page = try await store.appLicenses(filter, after: last, limit: newsPageSize)
            all += page.filter { !$0.isUndelivered }
            last = page.last?.id
        } while page.count == newsPageSize
        // A device whose update failed still requests renewals of the earlier license.
        let current = Dictionary(
            all.currentOfEachDevice.map { ($0.deviceAppKey, $0) }, uniquingKeysWith: { first, _ in first })
        return all.filter { license in
            let newest = current[license.deviceAppKey]
            guard license.isReplaced, newest?.id != license.id else { return true }
            return license.failedAt.map { failedAt in newest.map { failedAt >= $0.issuedAt } ?? false } ?? false
        }
    }

    /// The licenses whose renewal was refused in their term and would now be granted.
    ///
    /// The reason may have ended without an event of the account, for example because the app was listed again.
    private func renewable(
        _ licenses: [AppLicense], of account: AccountRef, at marketplace: Marketplace, at now: Timestamp
    ) async throws(ServerError) -> Set<LicenseID> {
        let failed = licenses.filter { $0.failedAt != nil && !$0.recordedState.isFinal }
        var renewable: Set<LicenseID> = []
        for item in Set(failed.map(\.item)) {
            let granted = try await store.appRight(of: account, to: item, at: now)
            let right = marketplace.right(of: account, to: item, granted: granted) ?? granted
            for license in failed where license.item == item {
                let explained = license.explained(
                    of: marketplace.apps[item], right: right, at: marketplace, isKeyUnusable: false, at: now)
                if explained.explanation.reasons.isEmpty { renewable.insert(license.id) }
            }
        }
        return renewable
    }

    /// The apps whose grant has ended or has an end; empty if every license has an end.
    private func grantEnds(
        _ licenses: [AppLicense], of account: AccountRef, at marketplace: Marketplace
    ) async throws(ServerError) -> Set<AppleItemID> {
        guard marketplace.access == .token, licenses.contains(where: { $0.term.end == nil }) else { return [] }
        let grants = try await store.appGrants(of: account).filter { $0.term.end != nil || $0.endedAt != nil }
        return Set(grants.map(\.item)).subtracting([marketplace.appleItemID].compactMap(\.self))
    }
}

private let newsPageSize = 1000

extension AppLicense {
    fileprivate enum Status {
        case cause(AppLicenseNews.Cause?)
        /// The license expired longer ago than the rules allow for a renewal. Without such a limit, it expired over 90
        /// days ago.
        case forgotten
    }

    /// The status of a license that isn't stopped and has no event since the cursor.
    ///
    /// Without a limit, the license of a lost device would be reported forever.
    fileprivate func status(under rules: AppLicense.Rules?, hasGrantEnd: Bool, at now: Timestamp) -> Status {
        guard let end = term.end else {
            // A device's daily job doesn't renew a license that has no end.
            let getsEnd = rules.map { $0.durationDays != nil } ?? false
            return .cause((getsEnd || hasGrantEnd) && failedAt == nil ? .due : nil)
        }
        let rules = rules ?? AppLicense.Rules()
        if now >= end.adding(days: rules.renewAfterExpiryDays ?? 90), now >= end { return .forgotten }
        if now >= end.adding(days: 14) { return .cause(.expired) }
        return .cause(end <= now.adding(days: rules.renewAheadDays) ? .due : nil)
    }
}

extension Marketplace {
    /// Whether the next renewal will be refused because the app or version was withdrawn.
    ///
    /// Returns `false` if a renewal has already been refused in this term.
    fileprivate func stops(_ license: AppLicense) -> Bool {
        guard let app = apps[license.item], app.rules.revokeOnTakedown, license.failedAt == nil else { return false }
        return app.isWithdrawn || app.versions[license.asset.version]?.availability.isWithdrawn ?? false
    }
}

extension EventKind {
    /// Whether the event is a reason for a device to renew an app.
    fileprivate var isNewsForApps: Bool {
        [
            .appLicenseSuspended, .appLicenseReinstated, .appLicenseRevoked, .appLicenseReturned, .appGranted,
            .appGrantEnded, .accountRenewalAsked,
        ].contains(self)
    }
}
