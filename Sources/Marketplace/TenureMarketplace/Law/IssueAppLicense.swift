public import TenureCore

extension AppLicense {
    /// The device and the account that request app licenses.
    public struct Requester: Sendable, Hashable {
        /// The tenant whose marketplace receives the request.
        public let tenant: TenantID
        /// The account that was authenticated; `nil` at an open marketplace.
        public let account: AccountID?
        /// The SHA-256 digest of the device's opaque id.
        public let device: Digest
        /// The request's number, chosen by the device; repeating it returns the same license.
        public let request: UInt64

        /// Creates a requester from its parts.
        public init(tenant: TenantID, account: AccountID?, device: Digest, request: UInt64) {
            self.tenant = tenant
            self.account = account
            self.device = device
            self.request = request
        }
    }

    /// A request for a license of one app, with the values that the server adds to it.
    public struct Request: Sendable, Hashable {
        /// The app, version and variant to license.
        public let asset: AssetRef
        /// Whether the server has the asset's key, without which no license can be written.
        public let hasKey: Bool
        /// The id to use if a new license is created; chosen by the server.
        public let newID: LicenseID
        /// The position of the term in the jitter range, -1000...1000; drawn by the server.
        public let draw: Int

        /// Creates a request from its parts.
        public init(asset: AssetRef, hasKey: Bool, newID: LicenseID, draw: Int) {
            self.asset = asset
            self.hasKey = hasKey
            self.newID = newID
            self.draw = draw
        }
    }
}

extension Marketplace {
    /// Decides whether a device gets a license of an app.
    ///
    /// Repeating a request returns the same license and changes nothing, unless that license has been stopped since. A
    /// later request from the device replaces its earlier licenses of the app, which then don't count towards the
    /// device limit. A refusal contains every reason that applies.
    ///
    /// - Parameters:
    ///   - right: The account's right to the app; ignored at an open marketplace.
    ///   - earlier: All licenses of this app that this device received for this account.
    public func issue(
        _ request: AppLicense.Request, to requester: AppLicense.Requester, right: AppGrant.Right?,
        earlier: [AppLicense],
        at now: Timestamp
    ) -> Decision<(license: AppLicense, consequences: AppLicense.Consequences)> {
        let grant = access == .token ? right?.grant : nil
        var reasons: [Reason] = []
        if let stopped = earlier.first(where: { $0.blocksAnother(under: grant) }) {
            reasons += [AppLicense.chart.stop(in: stopped.recordedState)].compactMap(\.self)
        }
        let same = earlier.first { $0.request == requester.request && $0.asset == request.asset }
        if let same, reasons.isEmpty, let over = AppLicense.chart.end(in: same.recordedState) {
            reasons = over.reasons
        }
        guard let app = apps[request.asset.item] else { return .refused(Refusal(.appUnknown(request.asset.item))) }
        if app.isWithdrawn { reasons.append(.appWithdrawn(request.asset.item)) }
        reasons += app.missing(of: request)
        if access == .token {
            reasons += app.obstacles(for: requester, right: right, at: now)
            if !reasons.contains(where: { $0.code == .deviceLimitReached }) {
                reasons += [app.devicesUsedUp(by: requester, right: right, at: now)].compactMap(\.self)
            }
        }
        if let refusal = Refusal(reasons) { return .refused(refusal) }
        if let same { return .granted((same, .none)) }
        let license = AppLicense(
            id: request.newID, tenant: requester.tenant, asset: request.asset, account: requester.account,
            device: requester.device, request: requester.request, issuedAt: now,
            term: app.rules.term(from: now, grantEnd: grant?.term.end, draw: request.draw),
            termRequest: requester.request)
        return .granted((license, license.firstConsequences(replacing: earlier, at: now)))
    }
}

extension AppLicense {
    /// Whether this license prevents a new one.
    ///
    /// A suspended license prevents a new one until it's reinstated, and a revoked license until the app is granted
    /// again.
    fileprivate func blocksAnother(under grant: AppGrant?) -> Bool {
        switch recordedState {
        case .suspended: true
        case .revoked:
            if let grant, let stoppedAt { grant.grantedAt <= stoppedAt } else { true }
        case .issued, .active, .expired, .returned: false
        }
    }

    fileprivate func firstConsequences(replacing earlier: [AppLicense], at now: Timestamp) -> AppLicense.Consequences {
        var licenses = [self]
        for var old in earlier where !old.isReplaced {
            old.isReplaced = true
            licenses.append(old)
        }
        var detail: [Reason.Evidence] = [
            .init("appleVersionID", .text(asset.version.description)), .init("asset", .text(asset.asset.text)),
        ]
        detail.append(term.end.map { .init("expiresAt", .date($0)) } ?? .init("expiresAt", .text("never")))
        return AppLicense.Consequences(
            licenses: licenses,
            events: [event(.appLicenseIssued, by: .device, at: now, detail)])
    }
}

extension Refusal {
    /// Returns the first refusal if every reason of every refusal is an ended or expired grant; otherwise `nil`.
    ///
    /// Such a response gets the status 402. If one of the refusals had another reason, the single status would make
    /// that app seem unpaid, too.
    public static func unpaid(_ refusals: [Refusal]) -> Refusal? {
        let codes = refusals.flatMap(\.reasons).map(\.code)
        return codes.allSatisfy { $0 == .appGrantEnded || $0 == .appGrantExpired } ? refusals.first : nil
    }
}

extension MarketplaceApp {
    fileprivate func missing(of request: AppLicense.Request) -> [Reason] {
        guard let version = versions[request.asset.version] else { return [.appVersionUnknown(request.asset)] }
        if version.availability.isWithdrawn { return [.versionWithdrawn(item, version.id)] }
        return request.hasKey ? [] : [.appKeyMissing(request.asset)]
    }

    /// Why the device would exceed the limit on device changes; `nil` if it wouldn't.
    ///
    /// A device that already counts towards the limits is never refused for this reason.
    fileprivate func devicesUsedUp(by requester: AppLicense.Requester, right: AppGrant.Right?, at now: Timestamp)
        -> Reason?
    {
        guard let right else { return nil }
        let recent = right.recent.filter { $0.value > now && !right.active.contains($0.key) }
        if right.active.contains(requester.device) || recent[requester.device] != nil { return nil }
        let use = DeviceAllowance.Use(active: right.active.count, recent: Array(recent.values), at: now)
        guard case .changesUsedUp(let limit, let changes, let until)? = rules.allowance.obstacle(after: use) else {
            return nil
        }
        return .devicesUsedUp(use.deviceCount, of: limit, changes: changes, until: until)
    }

    /// Why the requester can't get a license because of the grant or the device limit; empty if there's no such reason.
    func obstacles(for requester: AppLicense.Requester, right: AppGrant.Right?, at now: Timestamp) -> [Reason] {
        var reasons: [Reason] = []
        if let grant = right?.grant {
            reasons += grant.obstacles(at: now)
        } else {
            reasons.append(.appNotGranted(item))
        }
        let others = right?.active.subtracting([requester.device]).count ?? 0
        if let limit = rules.allowance.reachedLimit(active: others) {
            reasons.append(.deviceLimitReached(used: others, of: limit))
        }
        return reasons
    }
}
