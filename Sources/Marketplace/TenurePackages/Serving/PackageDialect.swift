import TenureCore
import TenureHTTP
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureThreads

/// Serves package files to devices: the manifest, the signature, and the assets that the manifest names.
///
/// No other file has a URL, and there are no redirects.
struct PackageDialect: Sendable {
    let context: MarketplaceContext
    let packageStore: PackageStore
    /// The internal path by which the reverse proxy reads the packages folder; `nil` if this server sends the bytes.
    let accel: String?
    /// The threads that open files, so that a slow disk doesn't block the event loops.
    let pool: WorkerPool<Void>
    /// The thread that hashes large files, one at a time.
    ///
    /// Requests for other files don't wait for this thread, and no file is hashed twice.
    let hashing: WorkerPool<Void>
    let tags = PackageTags()

    var endpoints: [Endpoint] {
        [
            endpoint("manifest.json") { _ in PackageFile(["manifest.json"], type: "application/json") },
            endpoint("signature") { _ in PackageFile(["signature"]) },
            endpoint("variant/{asset}") { PackageFile(asset: $0, in: "variant") },
            endpoint("delta/{asset}") { PackageFile(asset: $0, in: "delta") },
        ]
    }

    private func endpoint(
        _ path: String, _ named: @escaping @Sendable (String) -> PackageFile?
    ) -> Endpoint {
        let authentication = Authentication<(MarketplaceContext.PackageDownload, PackageFile)> {
            [context] request, path, snapshot in
            let location = try await context.authorizeDownload(request, path, under: snapshot)
            guard let file = named(path["asset"] ?? "") else { throw Failure.noPackageFile }
            return (location, file)
        }
        return Endpoint(
            "GET", "/adp/{tenant}/{item}/{version}/\(path)", format: .apple, catalog: .current,
            authentication: authentication,
            reads: .none
        ) { [self] call in
            let (location, file) = call.caller
            let ref = PackageRef(tenant: location.tenant, item: location.item, version: location.version)
            switch try await find(file, of: ref, isKnown: file.asset.map(location.hasAsset) ?? true) {
            case .file(let opened, let declaredTag):
                let tag = try await tag(of: opened, declaredTag)
                return .done(answer(opened, tag, file, of: ref, to: call.request, isPrivate: location.isPrivate))
            case .unknown: throw Failure.noPackageFile
            case .missing: throw ServerError.missing(file, of: ref)
            }
        }
    }

    private enum Found: Sendable {
        /// The file with its entity tag; the tag is `nil` if hashing would take long.
        case file(OpenFile, tag: String?)
        /// The package has no such file.
        case unknown
        /// The package has this file, but it's missing on disk.
        case missing
    }

    /// Finds a file of a package.
    ///
    /// - Parameter isKnown: Whether the version has an asset with that id, of any kind and revision.
    private func find(
        _ file: PackageFile, of ref: PackageRef, isKnown: Bool
    ) async throws(ServerError) -> Found {
        try await pool.run(
            { [packageStore, tags] _ throws(ServerError) in
                if let package = try packageStore.folder(of: ref), let opened = try package.file(at: file.parts) {
                    let tag = try tags.tag(of: opened, at: file.path, isAsset: file.asset != nil, in: package)
                    return .file(opened, tag: tag)
                }
                guard isKnown, file.asset != nil, let manifest = try packageStore.manifest(of: ref) else {
                    return isKnown ? .missing : .unknown
                }
                return manifest.assets.contains { $0.path == file.path } ? .missing : .unknown
            },
            refused: { _ in .diskBusy })
    }

    private func tag(of opened: OpenFile, _ declaredTag: String?) async throws(ServerError) -> String {
        if let declaredTag { return declaredTag }
        return try await hashing.run(
            { [tags] _ throws(ServerError) in try tags.hash(opened) }, refused: { _ in .diskBusy })
    }

    private func answer(
        _ opened: OpenFile, _ tag: String, _ file: PackageFile, of ref: PackageRef, to request: Request, isPrivate: Bool
    ) -> Response {
        let headers: Headers = [
            "Content-Type": file.type, "Cache-Control": file.caching(isPrivate: isPrivate),
            "X-Content-Type-Options": "nosniff",
        ]
        let answer = Response.file(opened, tag: tag, for: request, headers: headers)
        // The proxy opens the file later than this server does. By then, a manifest or signature may belong to the next
        // revision, which must not be sent with this tag. The proxy also can't compare `If-Match` with a tag that isn't
        // its own.
        guard let accel, file.asset != nil, request.headers["If-Match"] == nil, answer.status != 304 else {
            return answer
        }
        // The proxy handles ranges and adds the length.
        var response = Response(status: 200, headers: headers)
        response.headers.add("ETag", tag)
        response.headers.add("X-Accel-Redirect", accel + (ref.parts + file.parts).joined(separator: "/"))
        return response
    }
}

/// A file of a package that devices can request.
struct PackageFile: Sendable {
    /// The path components below the package's folder.
    let parts: [String]
    var path: String { parts.joined(separator: "/") }
    let type: String
    /// The asset's id; `nil` for the manifest and the signature, which change with each revision.
    let asset: AssetID?

    init(_ parts: [String], type: String = "application/octet-stream") {
        self.parts = parts
        self.type = type
        asset = nil
    }

    /// Creates the reference to an asset's file from its name in the URL; `nil` if no asset can have that name.
    init?(asset name: String, in folder: String) {
        guard name.hasSuffix(".ipa"), let asset = AssetID(String(name.dropLast(4))) else { return nil }
        parts = [folder, name]
        type = "application/octet-stream"
        self.asset = asset
    }

    /// The value of `Cache-Control`.
    ///
    /// An asset never changes. The manifest and the signature must match, but their URLs have no revision. Therefore, a
    /// cache must revalidate them; otherwise, it could combine an old one with a new one.
    func caching(isPrivate: Bool) -> String {
        switch (asset == nil, isPrivate) {
        case (true, false): "no-cache"
        case (true, true): "private, no-cache"
        case (false, false): "public, max-age=31536000, immutable"
        case (false, true): "private, max-age=31536000, immutable"
        }
    }
}

extension ServerError {
    fileprivate static var diskBusy: ServerError {
        ServerError(
            .packagesBusy, "Too many requests are waiting for the disk. Try again in a moment.", isTransient: true)
    }

    /// The error for a package file that is missing on disk; devices retry, because the package hasn't been removed.
    fileprivate static func missing(_ file: PackageFile, of ref: PackageRef) -> ServerError {
        ServerError(
            .init("package_missing"),
            "\(ref)/\(file.path) is missing from the package folder. `tenure doctor` lists what is "
                + "missing; import the package again.", isTransient: true)
    }
}
