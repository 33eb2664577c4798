import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Reads which app, version and variant to use, from separate arguments or from a package's manifest.
enum PackageReading {
    static let package: Argument<String?> = .optional(
        "package", "PATH", "The package's folder or manifest.json, from which version and variant are taken.", as: .text
    )
    static let item: Argument<AppleItemID?> = .optional(
        "item", "ITEM", "The app's Apple item id; default: the package's.", as: .appleItem)
    static let version: Argument<AppleVersionID?> = .optional(
        "version", "VERSION", "The Apple version id, if there is no package.", as: .appleVersion)
    static let asset: Argument<AssetID?> = .optional(
        "asset", "ASSET", "The variant's publicId, if there is no package.", as: .asset)

    static let arguments: [any DeclaredArgument] = [item, package, version, asset]

    /// The chosen app, version and variant, with the manifest that they come from, if any.
    struct Choice {
        let requestedApp: WantedApp
        let manifest: PackageManifest?
        let variant: VariantChoice?

        var bundleID: String? { manifest?.bundleID }

        var title: String {
            guard let manifest else { return "app \(requestedApp.item) version \(requestedApp.version)" }
            return "\(manifest.bundleID) \(manifest.shortVersion)"
        }
    }

    /// Chooses app, version and variant: from a package's manifest for this device, or from the separate arguments.
    static func choice(_ arguments: Parsed, model: String, system: String) throws -> Choice {
        guard let path = arguments[package] else {
            return Choice(requestedApp: try named(arguments), manifest: nil, variant: nil)
        }
        let manifest = try LocalPackage(path).manifest
        if let item = arguments[item], item != manifest.item {
            throw CommandError(
                "The package \(path) is for app \(manifest.item), not \(item). Choose another package, or leave out --item."
            )
        }
        if let version = arguments[version], version != manifest.version {
            throw CommandError(
                "The package \(path) is version \(manifest.version), not \(version). Choose another package, or leave out --version."
            )
        }
        if let asset = arguments[asset] {
            return Choice(
                requestedApp: WantedApp(item: manifest.item, version: manifest.version, asset: asset),
                manifest: manifest,
                variant: nil)
        }
        let variant = try manifest.choose(model: model, systemVersion: system)
        return Choice(
            requestedApp: WantedApp(item: manifest.item, version: manifest.version, asset: variant.variant.id),
            manifest: manifest, variant: variant)
    }

    /// Reads app, version and variant from separate arguments, all of which are then required.
    static func named(_ arguments: Parsed) throws(UsageError) -> WantedApp {
        guard let item = arguments[item], let version = arguments[version], let asset = arguments[asset] else {
            throw UsageError("give --package PATH, or --item, --version and --asset")
        }
        return WantedApp(item: item, version: version, asset: asset)
    }
}

/// A PEM file with the public half of a distribution key.
///
/// `openssl ec -pubout` and `tenure marketplace show` write it.
enum DistributionKeyFile {
    /// Reads the key; throws ``CommandError``.
    static func read(_ path: String) throws -> P256.PublicKey {
        let wrong = CommandError(
            "\(path) contains no P-256 public key in PEM. Run `openssl ec -in KEY -pubout` to get one from a private key."
        )
        let text = (try? CallersFile.text(of: path)) ?? nil
        guard let lines = text?.lines.filter({ !$0.isEmpty }), lines.first == "-----BEGIN PUBLIC KEY-----",
            let end = lines.firstIndex(where: { $0 == "-----END PUBLIC KEY-----" }),
            let der = Base64.decode(lines[1..<end].joined()), let key = try? P256.PublicKey(der: der)
        else { throw wrong }
        return key
    }
}
