public import TenureCore

/// The result of one license's renewal, with the changes to save.
public enum AppRenewal: Sendable, Hashable {
    /// The license has a new term. If the request was repeated, the term is unchanged.
    case renewed(AppLicense, AppLicense.Consequences)
    /// The license isn't renewed, so a device that receives this result no longer starts the app.
    case ineligible(Refusal, AppLicense.Consequences)
}

extension AppLicense {
    /// Decides whether to renew the license; `Documentation/app-license-states.md` has the rules as a table.
    ///
    /// An early renewal is granted, and the new term starts now. Repeating the request returns the same term and
    /// changes nothing. After the term has ended, the account's device limit applies again, and the renewal is refused
    /// after ``AppLicense/Rules/renewAfterExpiryDays``. A refusal is recorded in ``failedAt``, unless the license has
    /// been revoked or returned or belongs to another device or account.
    ///
    /// - Parameters:
    ///   - app: The app as listed by the marketplace; `nil` if it's no longer listed.
    ///   - right: The account's right to the app; ignored at an open marketplace.
    ///   - hasKey: Whether the server still has the asset's key.
    ///   - isAccountOpen: Whether the license's account, if it has one, hasn't been deleted. A deletion revokes the
    ///     licenses after the account, and may be interrupted.
    ///   - draw: The position of the term in the jitter range, -1000...1000.
    public func renew(
        for requester: AppLicense.Requester, of app: MarketplaceApp?, right: AppGrant.Right?,
        access: Marketplace.Access,
        hasKey: Bool, isAccountOpen: Bool = true, draw: Int, at now: Timestamp
    ) -> AppRenewal {
        guard tenant == requester.tenant, device == requester.device,
            access == .open || account == requester.account
        else { return .ineligible(Refusal(.appLicenseForeign), .none) }
        let grant = access == .token ? right?.grant : nil
        if let refusal = Refusal(
            obstacles(
                for: requester, of: app, right: right, access: access, hasKey: hasKey, isAccountOpen: isAccountOpen,
                at: now))
        {
            return .ineligible(refusal, failed(refusal, at: now))
        }
        guard let app else { return .ineligible(Refusal(.appUnknown(item)), .none) }
        if termRequest == requester.request { return .renewed(self, .none) }
        var license = self
        license.term = app.rules.term(from: now, grantEnd: grant?.term.end, draw: draw)
        license.termRequest = requester.request
        license.failedAt = nil
        license.failedKey = nil
        license.isReplaced = false
        let newEnd = Reason.Evidence("newEnd", license.term.end.map { .date($0) } ?? .text("never"))
        let detail = term.end.map { [.init("previousEnd", .date($0)), newEnd] } ?? [newEnd]
        return .renewed(
            license,
            AppLicense.Consequences(
                licenses: [license], events: [event(.appLicenseRenewed, by: .device, at: now, detail)]))
    }

    /// Every reason why the license can't be renewed, most specific first; empty if it can.
    func obstacles(
        for requester: AppLicense.Requester, of app: MarketplaceApp?, right: AppGrant.Right?,
        access: Marketplace.Access,
        hasKey: Bool, isAccountOpen: Bool, at now: Timestamp
    ) -> [Reason] {
        if let reason = Self.chart.stop(in: recordedState) { return [reason] }
        if !isAccountOpen { return [.appLicenseRevoked] }
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

    private func failed(_ refusal: Refusal, at now: Timestamp) -> AppLicense.Consequences {
        var license = self
        license.failedAt = now
        license.failedKey = nil
        return AppLicense.Consequences(
            licenses: recordedState.isFinal ? [] : [license],
            events: [
                event(
                    .appLicenseIneligible, by: .device, at: now,
                    [.init("reason", .text(refusal.reasons.map(\.code.text).joined(separator: " ")))])
            ])
    }

    /// An app license's state and the reasons for it, for people.
    public struct Explanation: Sendable, Hashable {
        /// The license's state at the requested time; an ended term makes it `expired`.
        public let state: LifecycleState
        /// Every reason why the license couldn't be renewed now, most specific first; empty if it could.
        public let reasons: [Reason]
        /// When the term ends, which changes the state.
        ///
        /// The time is `nil` if the license is revoked or returned, or if the term has ended or never ends.
        public let changesAt: Timestamp?

        /// The same explanation with a remedy for the vendor for each reason.
        ///
        /// - Parameter isAccountOpen: Whether the license's account, if it has one, hasn't been deleted.
        package func forVendor(of license: AppLicense, isAccountOpen: Bool) -> Explanation {
            Explanation(
                state: state,
                reasons: reasons.map { $0.forVendor(explaining: license, isAccountOpen: isAccountOpen) },
                changesAt: changesAt)
        }
    }

    /// Explains the license with the reasons that its own device would receive now.
    ///
    /// - Parameter isKeyUnusable: Whether the asset still has the key of ``failedKey``, so that a renewal couldn't be
    ///   written.
    public func explain(
        of app: MarketplaceApp?, right: AppGrant.Right?, access: Marketplace.Access, hasKey: Bool,
        isKeyUnusable: Bool = false, isAccountOpen: Bool = true, at now: Timestamp
    ) -> AppLicense.Explanation {
        let own = AppLicense.Requester(tenant: tenant, account: account, device: device, request: 0)
        var reasons = obstacles(
            for: own, of: app, right: right, access: access, hasKey: hasKey, isAccountOpen: isAccountOpen, at: now)
        if isUndelivered {
            reasons = [.appKeyUnusable(asset)]
        } else if isKeyUnusable, hasKey, !recordedState.isFinal {
            reasons.append(.appKeyUnusable(asset))
        }
        return AppLicense.Explanation(
            state: state(at: now), reasons: reasons,
            changesAt: recordedState.isFinal ? nil : term.end.flatMap { $0 > now ? $0 : nil })
    }
}
