import TenureCore
import TenureMarketplace
import TenureMarketplaceClient

/// Options of an install. By default, all values are derived from the package and the device.
struct InstallOptions: Sendable {
    /// The variant to install; `nil` for the one that ``PackageManifest/choose(model:systemVersion:)`` returns.
    var asset: AssetID?
    /// The app's name in alerts; `nil` for the last part of its bundle id.
    var name: String?
    /// The app and version that the marketplace's offer named, so that the package must contain them; `nil` if there
    /// was no offer.
    var promised: (item: AppleItemID, version: AppleVersionID?)?

    /// The account that the app is installed for; `nil` for the current one.
    var account: AccountID?

    /// Whether the package's URL is requested from the restore endpoint, as the system does after a person confirmed an
    /// install. Responses to updates and restores contain the URL already.
    var requestsRestore = false

    /// Whether the marketplace's offer named the package and ``promised``, so that the restore endpoint can be queried
    /// without reading the package first.
    var isOffered = false

    init(
        asset: AssetID? = nil, name: String? = nil, promised: (AppleItemID, AppleVersionID?)? = nil,
        account: AccountID? = nil, requestsRestore: Bool = false, isOffered: Bool = false
    ) {
        (self.asset, self.name, self.promised, self.account) = (asset, name, promised, account)
        (self.requestsRestore, self.isOffered) = (requestsRestore, isOffered)
    }
}

/// The result of a successful install.
struct FinishedInstall: Sendable, Hashable {
    let app: InstalledApp
    /// The manifest of the package that the app was installed from.
    let manifest: PackageManifest
    /// The variant and its system version; `nil` if the caller named the variant.
    let variant: VariantChoice?
    /// Whether a delta was downloaded instead of the whole variant.
    let isDelta: Bool
    /// Downloaded or copied bytes; `nil` if the package has no files.
    let bytes: Int64?
    /// How many of ``bytes`` came from an earlier, interrupted download.
    let resumedBytes: Int64
}

extension DeviceSession {
    /// Installs or updates an app from a package.
    ///
    /// The steps are: read the manifest, choose a variant or delta, get a license, and download the file.
    ///
    /// A failure leaves the device unchanged. The next try reuses the license and the complete chunks.
    ///
    /// - Throws: ``DeviceError``, such as `.notLicensed`.
    mutating func install(
        _ source: PackageSource, _ options: InstallOptions = InstallOptions(), into files: DeviceFiles,
        at now: Timestamp,
        meter: InstallMeter = InstallMeter()
    ) async throws(DeviceError) -> FinishedInstall {
        do throws(DeviceError) {
            let done = try await unmetered(source, options, into: files, at: now, meter: meter)
            meter.measure(.done)
            return done
        } catch {
            meter.fail(error.message)
            throw error
        }
    }

    private mutating func unmetered(
        _ source: PackageSource, _ options: InstallOptions, into files: DeviceFiles, at now: Timestamp,
        meter: InstallMeter
    ) async throws(DeviceError) -> FinishedInstall {
        meter.measure(.asking)
        let account = options.account ?? device.account
        let requester = self.requester(for: account)
        var local: LocalPackage?
        var source = source
        let documents: PackageDocuments
        switch source {
        case .local(let path):
            let opened = try LocalPackage(path)
            (local, documents) = (opened, opened.documents)
        case .web(let url):
            let package = try await webPackage(at: url, options, for: requester)
            (source, documents) = (.web(package.url), package.documents)
        }
        let manifest = documents.read
        try options.check(manifest)
        let choice = try choose(options.asset, from: manifest)

        meter.measure(.licensing)
        let requestedApp = WantedApp(item: manifest.item, version: manifest.version, asset: choice.asset)
        guard let license = try await license(for: requestedApp, as: requester, at: now) else {
            throw DeviceError(
                .notLicensed,
                "The marketplace doesn't license \(manifest.bundleID) \(manifest.shortVersion) to this account and "
                    + "device."
            )
        }
        var (bytes, resumedBytes) = (Int64?.none, Int64(0))
        var part: PartialAsset?
        if let file = choice.file, local?.has(file) ?? true {
            let whole = try room(for: file, of: requestedApp, in: files)
            (part, bytes, resumedBytes) = (whole, file.size, whole.count)
            meter.measure(.downloading, bytes: resumedBytes, of: file.size)
            if let local {
                try local.copy(to: whole, meter: meter)
            } else if case .web(let url) = source {
                let fileURL = "\(url)/\(file.path)"
                let headers = try await marketplace.credentials(for: fileURL, of: requester)
                try await marketplace.download(whole, from: fileURL, headers: headers, meter: meter)
            }
            meter.measure(.verifying, bytes: file.size, of: file.size)
        }
        meter.measure(.installing)
        try files.install(
            choice.asset, of: manifest, documents,
            from: part == nil ? nil : files.part(of: requestedApp.item, requestedApp.version, requestedApp.asset))
        var app = InstalledApp(
            item: manifest.item, version: manifest.version, asset: choice.result, bundleID: manifest.bundleID,
            account: account, license: license, resolutionURL: try await resolutionURL(of: manifest.item))
        app.versions = .init(short: manifest.shortVersion, bundle: manifest.bundleVersion)
        app.isMarketplace = manifest.isMarketplace
        app.givenName = options.name ?? device[manifest.item]?.givenName
        device.install(app)
        return FinishedInstall(
            app: app, manifest: manifest, variant: choice.variant, isDelta: choice.isDelta, bytes: bytes,
            resumedBytes: resumedBytes)
    }

    /// Reads a package on a server. After a confirmed install, the package's URL is requested from the restore
    /// endpoint.
    private func webPackage(
        at url: String, _ options: InstallOptions, for requester: RequestingDevice
    ) async throws(DeviceError) -> (url: String, documents: PackageDocuments) {
        guard options.requestsRestore else { return (url, try await marketplace.documents(at: url, for: requester)) }
        if options.isOffered, let (item, version) = options.promised, let version {
            let app = AskedApp(item: item, version: version)
            let package = try await package(of: app, named: "app \(item)", for: requester)
            return (package, try await marketplace.documents(at: package, for: requester))
        }
        // Without an offer, the package's manifest names the version to request.
        let documents = try await marketplace.documents(at: url, for: requester)
        let manifest = documents.read
        let app = AskedApp(item: manifest.item, version: manifest.version)
        let package = try await package(of: app, named: manifest.bundleID, for: requester)
        return (package, package == url ? documents : try await marketplace.documents(at: package, for: requester))
    }

    /// Installs an app with a given version and variant: requests its license, but downloads no files.
    ///
    /// - Returns: The app; `nil` if the marketplace doesn't license it to this account and device.
    /// - Throws: ``DeviceError``; nothing is installed.
    mutating func install(
        _ requestedApp: WantedApp, bundleID: String?, at now: Timestamp
    ) async throws(DeviceError) -> InstalledApp? {
        guard let license = try await license(for: requestedApp, as: currentRequester, at: now) else { return nil }
        let app = InstalledApp(
            item: requestedApp.item, version: requestedApp.version, asset: requestedApp.asset, bundleID: bundleID,
            account: device.account, license: license, resolutionURL: try await resolutionURL(of: requestedApp.item))
        device.install(app)
        return app
    }

    private mutating func license(
        for requestedApp: WantedApp, as requester: RequestingDevice, at now: Timestamp
    ) async throws(DeviceError) -> HeldLicense? {
        let answer = try await marketplace.issue([requestedApp], for: requester, at: now)
        device.certificates = marketplace.certificates
        return answer.licenses[requestedApp.item]
    }

    private func resolutionURL(of item: AppleItemID) async throws(DeviceError) -> String? {
        try await marketplace.configuration().places(for: item).licenseResolutionURL
    }

    /// The asset to download and license, and the variant that is installed with it.
    private struct Choice {
        let asset: AssetID
        /// The variant that is installed in the end. For a delta, it differs from the downloaded asset.
        let result: AssetID
        let variant: VariantChoice?
        /// The asset's file; `nil` if the manifest doesn't contain the variant that the caller named.
        let file: PackageManifest.Asset?
        var isDelta = false
    }

    private func choose(_ named: AssetID?, from manifest: PackageManifest) throws(DeviceError) -> Choice {
        if let named {
            let path = manifest.variants.first { $0.id == named }?.path
            return Choice(asset: named, result: named, variant: nil, file: path.flatMap(manifest.asset))
        }
        let variant = try manifest.choose(model: device.model, systemVersion: device.systemVersion)
        let delta = device[manifest.item].flatMap { app in
            manifest.delta(
                from: app.version, to: variant, model: device.model, systemVersion: device.systemVersion)
        }
        if let delta {
            return Choice(
                asset: delta.id, result: delta.result, variant: variant, file: manifest.asset(at: delta.path),
                isDelta: true)
        }
        let whole = variant.variant
        return Choice(asset: whole.id, result: whole.id, variant: variant, file: manifest.asset(at: whole.path))
    }

    /// Opens the partial download of an asset; throws `.noRoom` if the missing part doesn't fit on the disk.
    private func room(
        for file: PackageManifest.Asset, of requestedApp: WantedApp, in files: DeviceFiles
    ) throws(DeviceError) -> PartialAsset {
        try files.makeDownloads()
        let part = try PartialAsset(
            file, at: files.part(of: requestedApp.item, requestedApp.version, requestedApp.asset))
        guard let room = files.room, file.size - part.count > room else { return part }
        throw DeviceError(
            .noRoom, "The app needs \(file.size - part.count) bytes, but this device has only \(room) left.")
    }
}

extension InstallOptions {
    fileprivate func check(_ manifest: PackageManifest) throws(DeviceError) {
        guard let promised else { return }
        guard promised.item == manifest.item, promised.version.map({ $0 == manifest.version }) ?? true else {
            let version = promised.version.map { " version \($0)" } ?? ""
            throw DeviceError(
                .badPackage,
                "The package contains app \(manifest.item) version \(manifest.version), not app "
                    + "\(promised.item)\(version)."
            )
        }
    }
}

extension PackageManifest {
    fileprivate func asset(at path: String) -> Asset? { assets.first { $0.path == path } }
}
