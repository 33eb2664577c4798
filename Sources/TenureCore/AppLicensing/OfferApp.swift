/// A version of an app that a device may install.
public struct AppOffer: Sendable, Hashable {
    /// The app.
    public let app: MarketplaceApp
    /// The version.
    public let version: AppVersion

    /// Where its package is: below the place of the app's packages, under the version's number.
    /// - Parameter place: Where this server has the packages of the marketplace.
    public func packageURL(orBelow place: String) -> String {
        let base = app.packageURL ?? "\(place)/\(app.item)"
        return base + (base.hasSuffix("/") ? "" : "/") + version.id.description
    }
}

/// Who asks a marketplace what it offers.
public enum OfferRight: Sendable, Hashable {
    /// Everybody: the marketplace is open.
    case everybody
    /// An account, with its grant of the app; nil when the app was never granted.
    case account(AppGrant?)
}

extension Marketplace {
    /// Decides whether a device gets exactly one version of an app back.
    ///
    /// A version that is no number can only be unknown, and is told as it was written; that the app itself cannot be had
    /// comes first.
    /// Refused for the first reason that holds: `app_unknown`, `app_withdrawn`, `not_granted`, `subscription_expired`,
    /// `territory_closed`, `version_unknown`, `version_withdrawn`, `version_held`, `package_not_ready`,
    /// `platform_unsupported`, `system_too_old`.
    /// - Parameter territory: Where whoever asks is; nil where he does not say, and then nothing is closed for him.
    public func restore(
        _ item: AppleItemID, _ version: AppleVersionID?, written text: String, on system: AppleSystem,
        right: OfferRight, in territory: Territory? = nil, at now: Timestamp
    ) -> Decision<AppOffer> {
        switch offered(item, right, in: territory, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let app):
            guard let wanted = version.flatMap({ app.versions[$0] }) else {
                return .refused(Refusal(.versionUnknown(item, written: text)))
            }
            if let reason = wanted.obstacle(of: app, on: system, in: territory) { return .refused(Refusal(reason)) }
            return .granted(AppOffer(app: app, version: wanted))
        }
    }

    /// Decides on what an app has for a device that looks for something newer.
    ///
    /// Refused only where the app itself cannot be had: a version that is held, or does not fit, is merely no news.
    public func updates(
        of item: AppleItemID, on system: AppleSystem, right: OfferRight, in territory: Territory? = nil,
        at now: Timestamp
    ) -> Decision<AppUpdates> {
        offered(item, right, in: territory, at: now).map { AppUpdates(of: $0, on: system, in: territory) }
    }

    /// Decides on installing a version of an app, or its newest one.
    /// - Parameter system: What the device says of itself; nil for nothing, and then every system will do.
    public func install(
        _ item: AppleItemID, _ version: AppleVersionID?, on system: AppleSystem?, right: OfferRight,
        in territory: Territory? = nil, at now: Timestamp
    ) -> Decision<AppOffer> {
        switch offered(item, right, in: territory, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let app):
            if let version {
                guard let wanted = app.versions[version] else {
                    return .refused(Refusal(.versionUnknown(item, written: version.description)))
                }
                if let reason = wanted.obstacle(of: app, on: system, in: territory) {
                    return .refused(Refusal(reason))
                }
                return .granted(AppOffer(app: app, version: wanted))
            }
            let newestFirst = app.versions.values.sorted { $0.isNewer(than: $1) }
            if let fitting = newestFirst.first(where: { $0.obstacle(of: app, on: system, in: territory) == nil }) {
                return .granted(AppOffer(app: app, version: fitting))
            }
            let reason = newestFirst.first?.obstacle(of: app, on: system, in: territory) ?? .packageNotReady(item)
            return .refused(Refusal(reason))
        }
    }

    /// Decides on fetching the package of a version, which is served while it is held back: downloads go on then.
    public func fetch(
        _ item: AppleItemID, _ version: AppleVersionID, right: OfferRight, at now: Timestamp
    ) -> Decision<HeldPackage> {
        switch offered(item, right, in: nil, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let app):
            guard let known = app.versions[version] else {
                return .refused(Refusal(.versionUnknown(item, written: version.description)))
            }
            if known.availability.isWithdrawn { return .refused(Refusal(.versionWithdrawn(item, version))) }
            return known.package.map { .granted($0) } ?? .refused(Refusal(.packageNotReady(item)))
        }
    }

    /// The app, if whoever asks may have it at all. The marketplace's own app is everybody's: nobody signs in before
    /// having it.
    private func offered(
        _ item: AppleItemID, _ right: OfferRight, in territory: Territory?, at now: Timestamp
    ) -> Decision<MarketplaceApp> {
        guard let app = apps[item] else { return .refused(Refusal(.appUnknown(item))) }
        if app.isWithdrawn { return .refused(Refusal(.appWithdrawn(item))) }
        if item != appleItemID, case .account(let grant) = right {
            guard let grant, grant.endedAt == nil else { return .refused(Refusal(.notGranted(item))) }
            if let end = grant.term.end, now >= end {
                return .refused(Refusal(.subscriptionExpired(item, at: end)))
            }
        }
        if let territory, app.availability.isClosed(in: territory) {
            return .refused(Refusal(.territoryClosed(item, in: territory)))
        }
        return .granted(app)
    }
}

/// The versions of an app that a device may install, put in order once for however many versions it asks about.
public struct AppUpdates: Sendable {
    private let app: MarketplaceApp
    /// Those that fit, newest first.
    private let fitting: [AppVersion]

    fileprivate init(of app: MarketplaceApp, on system: AppleSystem, in territory: Territory?) {
        self.app = app
        fitting = app.versions.values.filter { $0.obstacle(of: app, on: system, in: territory) == nil }
            .sorted { $0.isNewer(than: $1) }
    }

    /// The newest version, if it is newer than what is installed; nil when there is none.
    ///
    /// An installed version that is unknown is compared by Apple's number alone; nil is older than everything.
    public func update(from installed: AppleVersionID?) -> AppOffer? {
        guard let installed else { return fitting.first.map { AppOffer(app: app, version: $0) } }
        let known = app.versions[installed]
        let newest = fitting.first { version in
            known.map { version.isNewer(than: $0) } ?? (version.id > installed)
        }
        return newest.map { AppOffer(app: app, version: $0) }
    }
}

extension AppVersion {
    /// Why it cannot be installed on a system; nil when it can.
    fileprivate func obstacle(of app: MarketplaceApp, on system: AppleSystem?, in territory: Territory?) -> Reason? {
        if availability.isWithdrawn { return .versionWithdrawn(app.item, id) }
        if let territory, availability.isClosed(in: territory) { return .territoryClosed(app.item, in: territory) }
        if isHeld { return .versionHeld(app.item, id) }
        guard !lowestSystems.isEmpty, app.packageURL != nil || package != nil else { return .packageNotReady(app.item) }
        guard let system else { return nil }
        guard let lowest = lowestSystems[system.platform] else {
            return .platformUnsupported(app.item, system.platform)
        }
        return system.version < lowest ? .systemTooOld(app.item, needing: lowest) : nil
    }
}
