import TenureFormats
import TenureHTTP
import TenureMarketplace

/// The manifest and signature of a package: parsed, and as the received bytes.
struct PackageDocuments: Sendable {
    /// The parsed manifest; ``manifest`` holds its bytes.
    let read: PackageManifest
    /// `manifest.json` as received.
    let manifest: [UInt8]
    /// `signature` as received. Apple signed it, and only Apple's systems can verify it.
    let signature: [UInt8]

    /// Parses a manifest; throws `.badPackage` if it's too long or invalid.
    init(manifest: [UInt8], signature: [UInt8], of what: String) throws(DeviceError) {
        guard manifest.count <= PackageManifest.byteLimit else {
            throw DeviceError(.badPackage, "The manifest of \(what) is longer than 8 MiB.")
        }
        do throws(FormatError) {
            read = try PackageManifest(parsing: manifest)
        } catch {
            throw DeviceError(
                .badPackage, "\(what) has no readable manifest: \(error.message).",
                as: error.rule == PackageManifest.Rule.platform.rawValue ? .unsupportedPlatform : .invalidManifest)
        }
        (self.manifest, self.signature) = (manifest, signature)
    }
}

extension ServedMarketplace {
    /// Fetches a package's manifest and signature, without following redirects.
    ///
    /// - Throws: `.badPackage`, `.notAvailable` for a 404 with a JSON body, `.refused` or `.unreachable`.
    func documents(at url: String, for requester: RequestingDevice) async throws(DeviceError) -> PackageDocuments {
        guard url.hasPrefix("https://") || address.isOwn(url) else {
            throw DeviceError(
                .badPackage, "A package must be at an https:// address, not at \(url.prefix(200)).",
                as: .invalidAlternativeDistributionPackageURL)
        }
        let manifest = try await document("manifest.json", of: url, for: requester)
        guard manifest.status == 200 else {
            guard manifest.status == 404, manifest.isJSON else {
                throw DeviceError(manifest, to: "The request for the package")
            }
            throw DeviceError(
                .notAvailable, "The marketplace no longer has a package at \(url).",
                as: .invalidAlternativeDistributionPackageURL, problem: ServerProblem(manifest))
        }
        let signature = try await document("signature", of: url, for: requester)
        guard signature.status == 200, (1...Self.longestSignature).contains(signature.body.bytes.count) else {
            throw DeviceError(
                .badPackage, "The package at \(url) has no signature.",
                as: .invalidAlternativeDistributionPackageSignature, problem: ServerProblem(signature))
        }
        return try PackageDocuments(
            manifest: manifest.body.bytes, signature: signature.body.bytes, of: "The package at \(url)")
    }

    private func document(
        _ name: String, of url: String, for requester: RequestingDevice
    ) async throws(DeviceError) -> Response {
        try await send(.get("\(url)/\(name)"), as: requester)
    }

    private static let longestSignature = 1 << 20
}
