public import TenureCore

/// The result of one license's renewal, with the changes to save.
public enum AppRenewal: Sendable, Hashable {
    /// The license has a new term, or the same one if the request was repeated.
    case renewed(AppLicense, AppLicense.Consequences)
    /// The license isn't renewed, so a device that receives this result no longer starts the app.
    case ineligible(Refusal, AppLicense.Consequences)
}

extension AppLicense {
    /// Decides whether to renew the license; `Documentation/app-license-states.md` has the rules as a table.
    ///
    /// An early renewal is granted, and the new term starts now. Repeating the request returns the same term and
    /// changes nothing. After the term has ended, the account's device limit applies again and the renewal must come
    /// within the rules' days. A refusal is recorded in ``failedAt``, unless the license has been revoked or returned
    /// or belongs to another device or account.
    ///
    /// - Parameters:
    ///   - app: The app as listed by the marketplace; `nil` if it's no longer listed.
    ///   - right: The account's right to the app; ignored at an open marketplace.
    ///   - hasKey: Whether the server still has the asset's key.
    ///   - draw: The position of the term in the jitter range, -1000...1000.
    public func renew(
        for requester: AppLicense.Requester, of app: MarketplaceApp?, right: AppGrant.Right?,
        access: Marketplace.Access,
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

    private func failed(_ refusal: Refusal, at now: Timestamp) -> AppLicense.Consequences {
        var license = self
        license.failedAt = now
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
        /// It is `nil` if the license is revoked or returned, or if the term has ended or never ends.
        public let changesAt: Timestamp?

        /// The same explanation with what the vendor can do about each reason.
        package func forVendor(of license: AppLicense) -> Explanation {
            Explanation(
                state: state, reasons: reasons.map { $0.forVendor(explaining: license) },
                changesAt: changesAt)
        }
    }

    /// Explains the license with the reasons that its own device would receive now.
    public func explain(
        of app: MarketplaceApp?, right: AppGrant.Right?, access: Marketplace.Access, hasKey: Bool, at now: Timestamp
    ) -> AppLicense.Explanation {
        let own = AppLicense.Requester(tenant: tenant, account: account, device: device, request: 0)
        return AppLicense.Explanation(
            state: state(at: now),
            reasons: obstacles(for: own, of: app, right: right, access: access, hasKey: hasKey, at: now),
            changesAt: recordedState.isFinal ? nil : term.end.flatMap { $0 > now ? $0 : nil })
    }
}

extension AppLicense {
    /// The consequences if the license was renewed, but couldn't be written for its device.
    ///
    /// The device keeps its earlier copy and asks again; the state endpoint lists the license until then.
    public func unwrittenRenewal(at now: Timestamp) -> AppLicense.Consequences {
        AppLicense.Consequences(licenses: failedNow(at: now), events: [unusableKey(.appLicenseIneligible, at: now)])
    }

    /// The consequences if the license was issued, but couldn't be written for its device.
    ///
    /// A license that this request created is returned, because its device doesn't have it and must not count for it.
    /// The licenses that it replaced are current again. Repeating the request is then refused. A license that an
    /// earlier request created stays, because the device may have received it then.
    ///
    /// - Parameter issuance: What the request changed, with the replaced licenses as they are now.
    public func unwritten(_ issuance: AppLicense.Issuance, at now: Timestamp) -> AppLicense.Consequences {
        let refusal = unusableKey(.appLicenseRefused, at: now)
        // If the license was stopped or replaced in the meantime, that decision stands.
        guard case .new(let replaced) = issuance, recordedState == .active, !isReplaced else {
            return AppLicense.Consequences(licenses: failedNow(at: now), events: [refusal])
        }
        var license = self
        license.failedAt = now
        license.recordedState = .returned
        license.stoppedAt = now
        license.isReplaced = true
        let restored = replaced.filter { $0.isReplaced && $0.isOfSameDeviceAndApp(as: self) }.map { earlier in
            var earlier = earlier
            earlier.isReplaced = false
            return earlier
        }
        return AppLicense.Consequences(licenses: [license] + restored, events: [refusal])
    }

    /// Whether the license may never have reached its device; see ``unwritten(_:at:)``.
    ///
    /// A license that was replaced, and returned in the second of a refused renewal, looks the same.
    package var isUndelivered: Bool {
        recordedState == .returned && isReplaced && failedAt != nil && failedAt == stoppedAt
    }

    private func failedNow(at now: Timestamp) -> [AppLicense] {
        guard !recordedState.isFinal else { return [] }
        var license = self
        license.failedAt = now
        return [license]
    }

    private func unusableKey(_ kind: EventKind, at now: Timestamp) -> Event {
        event(kind, by: .device, at: now, [.init("reason", .text(Reason.Kind.appKeyUnusable.text))])
    }
}

extension AppLicense {
    /// What a request changed when a license was issued for it.
    public enum Issuance: Sendable, Hashable {
        /// The request created the license, which replaced the device's licenses listed here.
        case new(replacing: [AppLicense])
        /// The request was repeated, and the license was created before.
        case repeated

        /// Whether the request created the license.
        public var isNew: Bool { self != .repeated }

        /// The licenses that the request marked as replaced.
        public var replaced: [AppLicense] {
            if case .new(let replaced) = self { replaced } else { [] }
        }
    }
}
