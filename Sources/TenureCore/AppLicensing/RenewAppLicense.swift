/// The answer about one license of a renewal.
public enum AppRenewal: Sendable, Hashable {
    /// It has a new term.
    case renewed(AppLicense, AppConsequences)
    /// It is not renewed; a device that is told so no longer starts the app.
    case ineligible(Refusal, AppConsequences)
}

extension AppLicense {
    /// Decides on a new term; `Documentation/app-license-states.md` has the table.
    ///
    /// A renewal asked for early is granted; the term starts again now. The same request sent again gets the same term
    /// and changes nothing. One that expired needs a free place again, and only so many days are forgiven. What is not
    /// renewed for a reason that lies in the license itself is remembered as failed in this term.
    /// - Parameters:
    ///   - app: The app as the marketplace lists it; nil when it no longer does.
    ///   - right: The right of the license's account to the app; ignored at an open marketplace.
    ///   - hasKey: Whether the server still has the asset's key.
    ///   - draw: Where in the jitter's range the term falls, -1000...1000.
    public func renew(
        for requester: AppRequester, of app: MarketplaceApp?, right: AppRight?, access: Marketplace.Access,
        hasKey: Bool, draw: Int, at now: Timestamp
    ) -> AppRenewal {
        guard tenant == requester.tenant, device == requester.device,
            access == .open || account == requester.account
        else { return .ineligible(Refusal(.appLicenseForeign), .none) }
        let grant = access == .token ? right?.grant : nil
        if let refusal = Refusal(
            obstacles(for: requester, of: app, right: right, access: access, hasKey: hasKey, at: now))
        {
            return .ineligible(refusal, failed(refusal, at: now))
        }
        guard let app else { return .ineligible(Refusal(.appUnknown(item)), .none) }
        if termRequest == requester.request { return .renewed(self, .none) }
        var license = self
        license.term = app.rules.term(from: now, grantEnd: grant?.term.end, draw: draw)
        license.termRequest = requester.request
        license.failedAt = nil
        var detail = [Reason.Evidence]()
        if let end = term.end { detail.append(.init("previousEnd", .date(end))) }
        detail.append(license.term.end.map { .init("newEnd", .date($0)) } ?? .init("newEnd", .text("never")))
        return .renewed(
            license,
            AppConsequences(licenses: [license], events: [event(.appLicenseRenewed, by: .device, at: now, detail)]))
    }

    /// Everything that keeps it from being renewed, most specific first; empty when nothing does.
    func obstacles(
        for requester: AppRequester, of app: MarketplaceApp?, right: AppRight?, access: Marketplace.Access,
        hasKey: Bool, at now: Timestamp
    ) -> [Reason] {
        if let reason = Self.chart.stop(in: recordedState) { return [reason] }
        guard let app else { return [.appUnknown(item)] }
        var reasons: [Reason] = []
        if access == .token {
            reasons +=
                app.obstacles(for: requester, right: right, at: now).filter { reason in
                    reason.code != .deviceLimitReached || term.isOver(at: now)
                }
        }
        if app.rules.revokeOnTakedown {
            if app.isWithdrawn {
                reasons.append(.appWithdrawn(item))
            } else if app.versions[asset.version]?.availability.isWithdrawn ?? false {
                reasons.append(.versionWithdrawn(item, asset.version))
            }
        }
        if let end = term.end, let days = app.rules.renewAfterExpiryDays, now >= end.adding(days: days), now >= end {
            reasons.append(.appRenewalTooLate(end: end, days: days))
        }
        if !hasKey { reasons.append(.appKeyMissing(asset)) }
        return reasons
    }

    private func failed(_ refusal: Refusal, at now: Timestamp) -> AppConsequences {
        var license = self
        license.failedAt = now
        return AppConsequences(
            licenses: recordedState.isFinal ? [] : [license],
            events: [
                event(
                    .appLicenseIneligible, by: .device, at: now,
                    [.init("reason", .text(refusal.reasons.map(\.code.text).joined(separator: " ")))])
            ])
    }
}

/// Where an app license stands and why, for people.
public struct AppLicenseExplanation: Sendable, Hashable {
    /// Its state at the moment asked about.
    public let state: License.State
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
