import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

extension MarketplaceApp {
    /// The section of a catalog file for an app.
    ///
    /// The package is read last, because it sets the bundle id.
    static let section = CatalogObject(
        "An app that the marketplace offers and licenses.", sample: MarketplaceApp(item: .sample),
        [
            .id(
                "appleItemID", needs: "needs an \"appleItemID\"",
                schema: AppleItemID.schema.described("The app's Apple item id.")),
            .bundle(\.bundleID), .text("name", \.name), .address("shareURL", \.shareURL),
            .address(
                "packageURL", \.packageURL,
                "The URL that the app's packages are under; each version is in a folder named by its number."),
            .flag("withdrawn", \.isDelisted),
            .flag(
                "autoPublish", \.autoPublish,
                "Whether a new package is offered as soon as it is imported. Otherwise its version is held back at "
                    + "first."
            ),
            .object("license", \.rules, AppLicense.Rules.section), .package,
        ]
    ) { app, members, _, reader in
        guard let named = members["bundleID"], case .string(let text) = named.value, let bundle = app.bundleID,
            text != bundle
        else { return }
        reader.report(named, "must be \(bundle), as the package's manifest says")
    }

    /// Reads an app; `nil` if it has no valid id.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let itemNode = members["appleItemID"] else {
            reader.report(node, "needs an \"appleItemID\"")
            return nil
        }
        guard let item = reader.item(itemNode) else { return nil }
        self.init(item: item)
        Self.section.fill(&self, from: members, of: node, &reader)
    }
}

extension AppLicense.Rules {
    /// The section of a catalog file for license rules; absent members get their defaults.
    fileprivate static let section = CatalogObject(
        "The rules for licenses of the app.", sample: AppLicense.Rules(),
        [
            .integer(
                "durationDays", 1...3650, \.durationDays,
                else:
                    "must be a whole number of days from 1 to 3650, or null for licenses that never expire, which "
                    + "a device's daily check can never revoke"),
            .integer("jitterPercent", 0...50, \.jitterPercent),
            .integer("deviceLimit", 1...AppLicense.Rules.highestDeviceLimit, \.deviceLimit),
            .changes(
                "deviceChanges", \.deviceChanges,
                "How many further devices may be licensed within 30 days; by default 3 or the device limit, whichever "
                    + "is higher."
            ),
            .flag("revokeOnTakedown", \.revokeOnTakedown),
            .integer("renewAfterExpiryDays", 0...3650, \.renewAfterExpiryDays),
            .integer(
                "renewAheadDays", 0...3650, \.renewAheadDays,
                "Must be shorter than the shortest license; by default 7, or half the length of a shorter license."),
        ]
    ) { rules, members, _, reader in
        if members["deviceChanges"] == nil {
            rules.deviceChanges = DeviceAllowance.standardChanges(for: rules.deviceLimit)
        }
        let shortest = rules.durationDays.map { $0 * (100 - rules.jitterPercent) / 100 }
        guard let member = members["renewAheadDays"], member.value != .null else {
            rules.renewAheadDays = min(rules.renewAheadDays, shortest.map { $0 / 2 } ?? rules.renewAheadDays)
            return
        }
        if let shortest, rules.renewAheadDays > 0, rules.renewAheadDays >= shortest {
            reader.report(
                member,
                "must be less than the length of the shortest license (\(shortest) days), or licenses would be due "
                    + "for renewal all the time")
        }
    }
}

extension CatalogField<MarketplaceApp> {
    fileprivate static var package: Self {
        Self(
            "package",
            schema: { _ in
                Schema.text(length: 1...4096).orNull.described(
                    "A folder with manifest.json and optionally keyblobs.json, or only a manifest, relative to the "
                        + "catalog file."
                )
            },
            { node, app, reader in
                guard let path = reader.text(node, limit: 4096),
                    let (manifest, blobs) = reader.package(node, at: path)
                else { return }
                guard manifest.item == app.item else {
                    return reader.report(node, "is the package of the app \(manifest.item), not of \(app.item)")
                }
                app.bundleID = manifest.bundleID
                let package = PackageSpec(manifest, of: reader.tenant, keyBlobs: blobs)
                app.versions = [package.version.id: package.version]
                reader.gather(package)
                if (try? reader.files.isFolder(path + "/variant")) == true {
                    reader.gather(PackageSpec.Folder(path: path, pointer: node.pointer, tenant: reader.tenant))
                }
            })
    }
}

extension CatalogField {
    /// An https URL, or null.
    fileprivate static func address(
        _ name: String, _ path: any WritableKeyPath<Record, String?> & Sendable, _ sentence: String = ""
    ) -> Self {
        .text(name, path, longest: 2048, pattern: #"^https://[^\s#]+$"#, sentence, fault: WebAddress.fault)
    }
}

extension CatalogReader {
    /// Reads a package: a folder with `manifest.json` and optionally `keyblobs.json`, or only a manifest.
    fileprivate mutating func package(
        _ node: CatalogNode, at path: String
    ) -> (PackageManifest, [AssetID: [UInt8]])? {
        let manifestBytes: [UInt8]
        var blobBytes: [UInt8]?
        do throws(CatalogReader.FileError) {
            let folder = try files.isFolder(path) ? path : nil
            let found = try files.bytes(
                of: folder == nil ? path : "manifest.json", in: folder, limit: PackageManifest.byteLimit)
            guard let found else { throw CatalogReader.FileError("doesn't contain manifest.json") }
            manifestBytes = found
            if let folder {
                blobBytes = try files.bytes(of: "keyblobs.json", in: folder, limit: KeyBlobs.byteLimit)
            }
        } catch {
            report(node, error.message)
            return nil
        }
        do throws(FormatError) {
            let manifest = try PackageManifest(parsing: manifestBytes)
            let blobs = try blobBytes.map { bytes throws(FormatError) in try KeyBlobs(parsing: bytes) }
            return (manifest, blobs?.byAsset ?? [:])
        } catch {
            report(node, "\(error.message)" + (error.cause.map { " (\($0))" } ?? ""))
            return nil
        }
    }
}
