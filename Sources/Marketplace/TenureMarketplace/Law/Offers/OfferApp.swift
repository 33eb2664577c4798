public import TenureCore

/// A version of an app that a device may install.
public struct AppOffer: Sendable, Hashable {
    /// The app, with its rules and address.
    public let app: MarketplaceApp
    /// The requested version, or the newest one that is available and can be installed on the device.
    public let version: AppVersion

    /// Returns the URL of the version's package: the version's number below the app's package URL.
    ///
    /// - Parameter root: The URL below which this server serves the marketplace's packages, used if the app has no URL
    ///   of its own.
    public func packageURL(orBelow root: String) -> String {
        let base = app.packageURL ?? "\(root)/\(app.item)"
        return base + (base.hasSuffix("/") ? "" : "/") + version.id.description
    }
}

extension AppOffer {
    /// The right on which an offer is based: that of any caller, or of an account.
    public enum Right: Sendable, Hashable {
        /// Any caller of an open marketplace.
        case everybody
        /// An account with its grant of the app; the grant is `nil` if the app was never granted.
        case account(AppGrant?)
    }
}

extension Marketplace {
    /// Decides whether a device may reinstall exactly this version of an app.
    ///
    /// The request is refused for the first of these reasons that applies: `app_unknown`, `app_withdrawn`,
    /// `not_granted`, `subscription_expired`, `territory_closed`, `version_unknown`, `version_withdrawn`,
    /// `version_held`, `package_not_ready`, `platform_unsupported`, `system_too_old`.
    ///
    /// - Parameters:
    ///   - version: The version's id; `nil` if the requested version isn't a number, which counts as unknown.
    ///   - text: The version as requested, for the reason `version_unknown`.
    ///   - territory: The caller's country or region. If it is `nil`, territories aren't checked.
    public func restore(
        _ item: AppleItemID, _ version: AppleVersionID?, written text: String, on system: AppleSystem,
        right: AppOffer.Right, in territory: Territory? = nil, at now: Timestamp
    ) -> Decision<AppOffer> {
        switch offered(item, right, in: territory, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let app):
            guard let requestedVersion = version.flatMap({ app.versions[$0] }) else {
                return .refused(Refusal(.versionUnknown(item, written: text)))
            }
            if let reason = requestedVersion.obstacle(of: app, on: system, in: territory) {
                return .refused(Refusal(reason))
            }
            return .granted(AppOffer(app: app, version: requestedVersion))
        }
    }

    /// Decides which versions of an app a device can be updated to.
    ///
    /// The request is refused only if the app itself isn't available. Versions that are held back or don't fit the
    /// device are left out.
    public func updates(
        of item: AppleItemID, on system: AppleSystem, right: AppOffer.Right, in territory: Territory? = nil,
        at now: Timestamp
    ) -> Decision<AppOffer.Updates> {
        offered(item, right, in: territory, at: now).map { AppOffer.Updates(of: $0, on: system, in: territory) }
    }

    /// Decides whether a version of an app may be installed; if no version is named, the newest version that can be
    /// installed is chosen.
    ///
    /// - Parameter system: The device's platform and system version. If it is `nil`, every system is accepted.
    public func install(
        _ item: AppleItemID, _ version: AppleVersionID?, on system: AppleSystem?, right: AppOffer.Right,
        in territory: Territory? = nil, at now: Timestamp
    ) -> Decision<AppOffer> {
        switch offered(item, right, in: territory, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let app):
            if let version {
                guard let requestedVersion = app.versions[version] else {
                    return .refused(Refusal(.versionUnknown(item, written: version.description)))
                }
                if let reason = requestedVersion.obstacle(of: app, on: system, in: territory) {
                    return .refused(Refusal(reason))
                }
                return .granted(AppOffer(app: app, version: requestedVersion))
            }
            let newestFirst = app.versions.values.sorted { $0.isNewer(than: $1) }
            if let fitting = newestFirst.first(where: { $0.obstacle(of: app, on: system, in: territory) == nil }) {
                return .granted(AppOffer(app: app, version: fitting))
            }
            let reason = newestFirst.first?.obstacle(of: app, on: system, in: territory) ?? .packageNotReady(item)
            return .refused(Refusal(reason))
        }
    }

    /// Decides whether the package of a version may be downloaded.
    ///
    /// The package of a version that is held back is served, too, so that downloads in progress can finish.
    public func fetch(
        _ item: AppleItemID, _ version: AppleVersionID, right: AppOffer.Right, at now: Timestamp
    ) -> Decision<HeldPackage> {
        switch offered(item, right, in: nil, at: now) {
        case .refused(let refusal): return .refused(refusal)
        case .granted(let app):
            guard let appVersion = app.versions[version] else {
                return .refused(Refusal(.versionUnknown(item, written: version.description)))
            }
            if appVersion.availability.isWithdrawn { return .refused(Refusal(.versionWithdrawn(item, version))) }
            return appVersion.package.map { .granted($0) } ?? .refused(Refusal(.packageNotReady(item)))
        }
    }

    /// Returns the app if the caller may have any version of it.
    ///
    /// The marketplace's own app needs no grant, because a customer installs it before signing in.
    private func offered(
        _ item: AppleItemID, _ right: AppOffer.Right, in territory: Territory?, at now: Timestamp
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

extension AppOffer {
    /// The versions of an app that a device may install.
    ///
    /// The versions are sorted once, so that any number of installed versions can be compared with them.
    public struct Updates: Sendable {
        private let app: MarketplaceApp
        /// The versions that the device can install, newest first; see ``AppVersion/isNewer(than:)``.
        private let fitting: [AppVersion]

        fileprivate init(of app: MarketplaceApp, on system: AppleSystem, in territory: Territory?) {
            self.app = app
            fitting = app.versions.values.filter { $0.obstacle(of: app, on: system, in: territory) == nil }
                .sorted { $0.isNewer(than: $1) }
        }

        /// Returns the newest version if it is newer than the installed version; otherwise `nil`.
        ///
        /// If the server doesn't know the installed version, Apple's version ids are compared. An installed version of
        /// `nil` counts as older than every other.
        public func update(from installed: AppleVersionID?) -> AppOffer? {
            guard let installed else { return fitting.first.map { AppOffer(app: app, version: $0) } }
            let installedVersion = app.versions[installed]
            let newest = fitting.first { version in
                installedVersion.map { version.isNewer(than: $0) } ?? (version.id > installed)
            }
            return newest.map { AppOffer(app: app, version: $0) }
        }
    }
}

extension AppVersion {
    /// Why the version can't be installed on a system; `nil` if it can.
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
