import TenureCore
import TenureFormats

extension CatalogReader {
    /// An app and what its package says; nil when it has no usable id.
    mutating func app(_ node: CatalogNode, of tenant: TenantID) -> (MarketplaceApp, ListedPackage?)? {
        let members = object(
            node,
            knowing: [
                "appleItemID", "bundleID", "name", "package", "packageURL", "shareURL", "withdrawn", "license",
            ])
        guard let itemNode = members["appleItemID"] else {
            report(node, "needs an \"appleItemID\"")
            return nil
        }
        guard let item = item(itemNode) else { return nil }
        var app = MarketplaceApp(
            item: item, bundleID: bundleID(members["bundleID"]), name: text(members["name"]),
            shareURL: url(members["shareURL"]), packageURL: url(members["packageURL"]),
            isWithdrawn: bool(members["withdrawn"], default: false), rules: rules(members["license"]))
        guard let packageNode = members["package"], let path = text(packageNode, limit: 4096),
            let (manifest, blobs) = package(packageNode, at: path)
        else { return (app, nil) }
        guard manifest.item == item else {
            report(packageNode, "is the package of the app \(manifest.item), not of \(item)")
            return (app, nil)
        }
        if let named = app.bundleID, named != manifest.bundleID {
            report(members["bundleID"] ?? node, "must be \(manifest.bundleID), as the package's manifest says")
        }
        app.bundleID = manifest.bundleID
        let version = AppVersion(
            id: manifest.version, shortVersion: manifest.shortVersion, bundleVersion: manifest.bundleVersion)
        app.versions = [version.id: version]
        let package = ListedPackage(
            tenant: tenant, item: item, version: version, variants: manifest.variants.map(\.id),
            deltas: manifest.deltas.map(\.id), keyBlobs: blobs)
        return (app, package)
    }

    /// The rules of an app's licenses; what is left out has its default.
    mutating func rules(_ node: CatalogNode?) -> AppLicenseRules {
        var rules = AppLicenseRules()
        guard let node else { return rules }
        let members = object(
            node,
            knowing: [
                "durationDays", "jitterPercent", "deviceLimit", "revokeOnTakedown", "renewAfterExpiryDays",
                "renewAheadDays",
            ])
        rules.durationDays = duration(members["durationDays"], default: rules.durationDays)
        rules.jitterPercent = integer(members["jitterPercent"], in: 0...50) ?? rules.jitterPercent
        if let limit = members["deviceLimit"] {
            rules.deviceLimit = integer(limit, in: 1...AppLicenseRules.highestDeviceLimit)
        }
        rules.revokeOnTakedown = bool(members["revokeOnTakedown"], default: false)
        if let days = members["renewAfterExpiryDays"] { rules.renewAfterExpiryDays = integer(days, in: 0...3650) }
        let shortest = rules.durationDays.map { $0 * (100 - rules.jitterPercent) / 100 }
        let ahead = integer(members["renewAheadDays"], in: 0...3650)
        if let ahead, let shortest, ahead > 0, ahead >= shortest, let place = members["renewAheadDays"] {
            report(
                place,
                "must be less than the shortest license lasts, \(shortest) days here, or licenses were due for renewal "
                    + "all the time")
        }
        rules.renewAheadDays = ahead ?? min(rules.renewAheadDays, shortest.map { $0 / 2 } ?? rules.renewAheadDays)
        return rules
    }

    private mutating func duration(_ node: CatalogNode?, default standard: Int?) -> Int? {
        guard let node else { return standard }
        if node.value == .null { return nil }
        guard case .integer(let days) = node.value, (1...3650).contains(days) else {
            report(
                node,
                "must be a whole number of days from 1 to 3650, or null for licenses that never expire and so can never "
                    + "be revoked by a device's daily job")
            return standard
        }
        return Int(days)
    }

    private mutating func url(_ node: CatalogNode?) -> String? {
        guard let node, let text = text(node, limit: 2048) else { return nil }
        if let fault = WebAddress.fault(of: text) {
            report(node, fault)
            return nil
        }
        return text
    }

    private mutating func package(
        _ node: CatalogNode, at path: String
    ) -> (PackageManifest, [AssetID: [UInt8]])? {
        let files: PackageFiles
        do throws(PackageReadingError) {
            files = try packages.read(path)
        } catch {
            report(node, error.message)
            return nil
        }
        do throws(FormatError) {
            let manifest = try PackageManifest(parsing: files.manifest)
            let blobs = try files.keyBlobs.map { bytes throws(FormatError) in try KeyBlobs(parsing: bytes) }
            return (manifest, blobs?.byAsset ?? [:])
        } catch {
            report(node, "\(error.message)" + (error.cause.map { " (\($0))" } ?? ""))
            return nil
        }
    }
}
