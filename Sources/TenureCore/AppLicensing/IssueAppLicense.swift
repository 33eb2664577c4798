/// Who asks for app licenses: one request of one device.
public struct AppRequester: Sendable, Hashable {
    /// At whose marketplace.
    public let tenant: TenantID
    /// For whom; nil at an open marketplace.
    public let account: AccountID?
    /// SHA-256 of the device's opaque id.
    public let device: Digest
    /// The request's own number, which the device chose.
    public let request: UInt64

    /// Names a requester.
    public init(tenant: TenantID, account: AccountID?, device: Digest, request: UInt64) {
        self.tenant = tenant
        self.account = account
        self.device = device
        self.request = request
    }
}

/// A wish for a license of one app.
public struct AppLicenseWish: Sendable, Hashable {
    /// What is to be licensed.
    public let asset: AssetRef
    /// Whether the server has the asset's key: without it no license can be written.
    public let hasKey: Bool
    /// The name the license gets if it is a new one.
    public let newID: LicenseID
    /// Where in the jitter's range its term falls, -1000...1000.
    public let draw: Int

    /// States a wish.
    public init(asset: AssetRef, hasKey: Bool, newID: LicenseID, draw: Int) {
        self.asset = asset
        self.hasKey = hasKey
        self.newID = newID
        self.draw = draw
    }
}

extension Marketplace {
    /// Decides whether a device gets a license of an app.
    ///
    /// The same request of the same device, sent again, gets the license it got before, and nothing changes; it never
    /// brings back one that was stopped since. A later request of a device replaces its earlier licenses of the app; they
    /// take no second place. Refused for all reasons that hold, each of which the person or the operator can look up.
    /// - Parameters:
    ///   - right: The account's right to the app; ignored at an open marketplace.
    ///   - earlier: All licenses of this app that this device got for this account.
    public func issue(
        _ wish: AppLicenseWish, to requester: AppRequester, right: AppRight?, earlier: [AppLicense], at now: Timestamp
    ) -> Decision<(license: AppLicense, consequences: AppConsequences)> {
        let grant = access == .token ? right?.grant : nil
        var reasons: [Reason] = []
        if let stopped = earlier.first(where: { $0.blocksAnother(under: grant) }) {
            reasons += [AppLicense.chart.stop(in: stopped.recordedState)].compactMap(\.self)
        }
        let same = earlier.first { $0.request == requester.request && $0.asset == wish.asset }
        if let same, reasons.isEmpty, let over = AppLicense.chart.end(in: same.recordedState) {
            reasons = over.reasons
        }
        guard let app = apps[wish.asset.item] else { return .refused(Refusal(.appUnknown(wish.asset.item))) }
        if app.isWithdrawn { reasons.append(.appWithdrawn(wish.asset.item)) }
        reasons += app.missing(of: wish)
        if access == .token {
            reasons += app.obstacles(for: requester, right: right, at: now)
            if !reasons.contains(where: { $0.code == .deviceLimitReached }) {
                reasons += [app.devicesUsedUp(by: requester, right: right, at: now)].compactMap(\.self)
            }
        }
        if let refusal = Refusal(reasons) { return .refused(refusal) }
        if let same { return .granted((same, .none)) }
        let license = AppLicense(
            id: wish.newID, tenant: requester.tenant, asset: wish.asset, account: requester.account,
            device: requester.device, request: requester.request, issuedAt: now,
            term: app.rules.term(from: now, grantEnd: grant?.term.end, draw: wish.draw),
            termRequest: requester.request)
        return .granted((license, license.firstConsequences(replacing: earlier, at: now)))
    }
}

extension AppLicense {
    /// Whether its being stopped keeps the device from getting another: until it is reinstated, or granted anew.
    fileprivate func blocksAnother(under grant: AppGrant?) -> Bool {
        switch recordedState {
        case .suspended: true
        case .revoked:
            if let grant, let stoppedAt { grant.grantedAt <= stoppedAt } else { true }
        case .issued, .active, .expired, .returned: false
        }
    }

    fileprivate func firstConsequences(replacing earlier: [AppLicense], at now: Timestamp) -> AppConsequences {
        var licenses = [self]
        for var old in earlier where !old.isReplaced && !old.recordedState.isFinal {
            old.isReplaced = true
            licenses.append(old)
        }
        var detail: [Reason.Evidence] = [
            .init("appleVersionID", .text(asset.version.description)), .init("asset", .text(asset.asset.text)),
        ]
        detail.append(term.end.map { .init("expiresAt", .date($0)) } ?? .init("expiresAt", .text("never")))
        return AppConsequences(
            licenses: licenses,
            events: [event(.appLicenseIssued, by: .device, at: now, detail)])
    }
}

extension MarketplaceApp {
    fileprivate func missing(of wish: AppLicenseWish) -> [Reason] {
        guard let version = versions[wish.asset.version] else { return [.appVersionUnknown(wish.asset)] }
        if version.availability.isWithdrawn { return [.versionWithdrawn(item, version.id)] }
        return wish.hasKey ? [] : [.appKeyMissing(wish.asset)]
    }

    /// Why a further device of the account may not have the app although a place is free: as many different ones as the
    /// rules allow have it or had it lately. Nil when it may, and for one of those.
    fileprivate func devicesUsedUp(by requester: AppRequester, right: AppRight?, at now: Timestamp) -> Reason? {
        guard let limit = rules.deviceLimit, let changes = rules.deviceChanges, let right else { return nil }
        let lately = right.lately.filter { $0.value > now && !right.holders.contains($0.key) }
        guard !right.holders.contains(requester.device), lately[requester.device] == nil else { return nil }
        let devices = right.holders.count + lately.count
        let toLeave = devices - (limit + changes) + 1
        guard toLeave > 0 else { return nil }
        let leaves = lately.values.sorted()
        return .devicesUsedUp(
            devices, of: limit, changes: changes, until: leaves.count >= toLeave ? leaves[toLeave - 1] : nil)
    }

    /// What stands between an account's device and a license, grant and places.
    func obstacles(for requester: AppRequester, right: AppRight?, at now: Timestamp) -> [Reason] {
        var reasons: [Reason] = []
        if let grant = right?.grant {
            reasons += grant.obstacles(at: now)
        } else {
            reasons.append(.appNotGranted(item))
        }
        let others = right?.holders.subtracting([requester.device]).count ?? 0
        if let limit = rules.deviceLimit, others >= limit {
            reasons.append(.deviceLimitReached(taken: others, of: limit))
        }
        return reasons
    }
}
