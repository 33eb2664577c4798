import Glibc
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Imports a package.
///
/// The job requests the package's location, reads its manifest and starts one job for each asset. Once the last asset
/// has arrived, the job publishes the package in one step.
struct FetchPackage: Sendable {
    let context: ImportContext

    var kind: Job.Kind<ImportWork> {
        Job.Kind(.packageImport, rules: ImportContext.rules) { [self] work, job, now in
            guard let tenant = job.tenant, let (row, assets) = try await context.fetch(work.id, of: tenant)
            else {
                return .ending(.done, of: job)
            }
            if row.state == .withdrawn || row.state == .ready {
                try await context.onDisk { [context] in try context.fetchFolder.remove(row) }
                return .ending(.done, of: job)
            }
            // A restarted import has a new job. Without this check, the old job would process the import, too.
            guard row.job == job.id else { return .ending(.done, of: job) }
            var found: Found
            do throws(ServerError) {
                let isWhole = !assets.isEmpty && assets.allSatisfy(\.isDone)
                found = isWhole ? try await publish(row, assets) : try await begin(row)
            } catch {
                context.log.write(
                    LogLine(
                        .warning, "package_fetch_failed", [("job", .text(job.id)), ("error", .text(error.description))])
                )
                found = Found(row: row, step: error.step)
            }
            return finish(found, work, job, at: context.clock.now())
        }
    }

    /// The result of one run of the job.
    struct Found: Sendable {
        var row: PackageImport
        var step: PackageImport.Step
        /// The assets that the manifest names; `nil` if the manifest hasn't been read.
        var assets: [PackageManifest.Asset]?
        /// Whether the job runs again at once, such as for the version that replaced this one.
        var isToGoOn = false
    }

    // MARK: Starting an import

    private func begin(_ row: PackageImport) async throws(ServerError) -> Found {
        guard let appStore = try await context.appStore(of: row.tenant) else {
            return Found(row: row, step: .waiting("not_connected", seconds: 3600))
        }
        do {
            let resource = try await appStore.version(row.source)
            if resource.state == "REPLACED" { return try await follow(row, appStore) }
            if let remaining = resource.remaining, remaining < 5 {
                return Found(row: row, step: .waiting("rate_limited", seconds: 600))
            }
            guard let url = resource.url else { throw ConnectTrouble(.trouble, "not_completed", seconds: 60) }
            let zip = try await zip(url, from: appStore)
            try check(zip, by: resource.checksum, of: row)
            return try await unpack(zip, row)
        } catch let trouble as ConnectTrouble {
            return Found(row: row, step: ImportContext.step(trouble, jitter: .random(in: Job.RetryPlan.draws)))
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(.init("unforeseen"), "An unexpected error occurred.", cause: "\(error)")
        }
    }

    /// Switches to the package version with the highest number, because App Store Connect has replaced the requested
    /// one.
    private func follow(_ row: PackageImport, _ appStore: AppStoreConnect) async throws -> Found {
        guard let package = row.package else { return Found(row: row, step: .failed("replaced")) }
        let newest = try await appStore.versions(of: package).filter { $0.state != "REPLACED" && $0.url != nil }
            .max { $0.version < $1.version }
        guard let newest, newest.id != row.source, AssetID(newest.id) != nil else {
            throw ConnectTrouble(.trouble, "replaced", seconds: 60)
        }
        var after = row
        after.source = newest.id
        return Found(row: after, step: .fetching, isToGoOn: true)
    }

    /// Downloads the zip with the manifest and the signature into memory, because the zip is small.
    private func zip(_ url: String, from appStore: AppStoreConnect) async throws -> [UInt8] {
        let gathered = GatheredBytes()
        let answer = try await appStore.follow(
            url, limit: Self.longestZip, seconds: 120, begin: { $0.status == 200 }, take: { gathered.add($0) })
        guard answer.status == 200 else {
            let isOver = [401, 403, 404, 410].contains(answer.status)
            throw isOver
                ? ConnectTrouble(.trouble, "link_expired") : ConnectTrouble(answer, at: context.clock.now())
        }
        let bytes = gathered.bytes
        if let length = answer.headers["Content-Length"].flatMap({ Int($0) }), length != bytes.count {
            throw ConnectTrouble(.trouble, "unreachable")
        }
        return bytes
    }

    /// Verifies the zip against its checksum in hexadecimal, whose length determines the algorithm.
    ///
    /// If the algorithm is unknown, that is only logged, because the digests of the chunks are checked, too.
    private func check(_ zip: [UInt8], by checksum: String?, of row: PackageImport) throws(ConnectTrouble) {
        guard let checksum else { return }
        guard let running = Hex.decode(checksum).flatMap({ RunningChecksum($0) }) else {
            let printable = checksum.utf8.filter { (0x21...0x7E).contains($0) }.prefix(128)
            context.log.write(
                LogLine(
                    .info, "package_checksum_unknown",
                    [
                        ("tenant", .text(row.tenant.text)), ("version", .text(row.id)),
                        ("checksum", .text(String(decoding: printable, as: UTF8.self))),
                    ]))
            return
        }
        running.update(zip)
        if !running.matches() { throw ConnectTrouble(.trouble, "zip_damaged") }
    }

    private static let longestZip: Int64 = 32 << 20

    private func unpack(_ zip: [UInt8], _ row: PackageImport) async throws(ServerError) -> Found {
        let marketplace = try await context.catalog.refreshIfChanged().catalog.tenants[row.tenant]?.marketplace
        return try await context.onDisk { [context] in
            try Self.unpack(zip, row, at: context.fetchFolder, for: marketplace)
        }
    }

    /// Saves the manifest and the signature from the zip, and checks that the disk has space for the assets.
    private static func unpack(
        _ zip: [UInt8], _ row: PackageImport, at fetchFolder: FetchFolder, for marketplace: Marketplace?
    ) throws(ServerError) -> Found {
        let folder = try fetchFolder.folder(row)
        try folder.remove("package.zip")
        let file = try folder.create("package.zip")
        try file.write(zip)
        let source = try ZipSource(fetchFolder.path(row) + "/package.zip")
        guard source.entries.map(\.path).sorted() == ["manifest.json", "signature"],
            let manifestBytes = try source.bytes(of: "manifest.json", limit: PackageManifest.byteLimit),
            let signature = try source.bytes(of: "signature", limit: 8 << 20), !signature.isEmpty,
            let manifest = try? PackageManifest(parsing: manifestBytes)
        else { return Found(row: row, step: .failed("package_refused")) }
        try folder.remove("package.zip")
        var after = row
        (after.item, after.version) = (manifest.item, manifest.version)
        after.size = manifest.assets.reduce(0) { $0 + $1.size }
        if let item = row.item, item != manifest.item { return Found(row: row, step: .failed("other_app")) }
        if let app = marketplace?.apps[manifest.item], let bundle = app.bundleID, bundle != manifest.bundleID {
            return Found(row: after, step: .failed("other_bundle"))
        }
        if let package = marketplace?.apps[manifest.item]?.versions[manifest.version]?.package {
            if package.revision > manifest.revision ?? 0 { return Found(row: after, step: .ready("superseded")) }
        }
        guard after.size + (64 << 20) <= (try folder.room()) else {
            return Found(row: after, step: .waiting("disk_full", seconds: 600))
        }
        for (name, bytes) in [("signature", signature), ("manifest.json", manifestBytes)] {
            try folder.remove(name)
            let file = try folder.create(name)
            try file.write(bytes)
            try file.finish(changedAt: row.announcedAt.seconds)
        }
        try folder.sync()
        return Found(row: after, step: .fetching, assets: manifest.assets)
    }

    // MARK: Publishing a package

    private func publish(_ row: PackageImport, _ assets: [ImportAsset]) async throws(ServerError) -> Found {
        let marketplace = try await context.catalog.refreshIfChanged().catalog.tenants[row.tenant]?.marketplace
        guard let item = row.item, marketplace?.apps[item] != nil else {
            return Found(row: row, step: .held("app_not_listed", seconds: 60))
        }
        let ingest = IngestPackage(
            store: context.store, packageStore: context.fetchFolder.packageStore, clock: context.clock)
        let keys = Dictionary(
            assets.compactMap { asset in asset.keyBlob.map { (asset.asset, $0) } }, uniquingKeysWith: { $1 })
        let staged = try await context.onDisk { [context] () -> Result<StagedPackage, Foreseen> in
            guard let source = try FetchedSource(context.fetchFolder.path(row)) else {
                return .failure(.init(step: nil))
            }
            let package = try BroughtPackage(source, named: "the package", keyBlobs: keys)
            switch try ingest.foresee(package, packageID: row.package, at: marketplace, of: row.tenant) {
            case .unchanged: return .failure(.init(step: .ready(nil)))
            case .outdated: return .failure(.init(step: .ready("superseded")))
            case .otherBundle: return .failure(.init(step: .failed("other_bundle")))
            default: return .success(try ingest.stage(package, for: row.tenant) { _ in })
            }
        }
        switch staged {
        case .failure(let foreseen): return Found(row: row, step: foreseen.step ?? .failed("files_missing"))
        case .success(let staged):
            let step: PackageImport.Step
            switch try await ingest.publish(staged, packageID: row.package) {
            case .served(_, _, let keyless): step = .ready(keyless.isEmpty ? nil : "keys_missing")
            case .unchanged: step = .ready(nil)
            case .outdated: step = .ready("superseded")
            case .appUnknown: step = .held("app_not_listed", seconds: 60)
            case .otherBundle: step = .failed("other_bundle")
            case .tooManyVersions: step = .failed("too_many_versions")
            }
            return Found(row: row, step: step)
        }
    }

    /// Ends the publication early, because its result is known before the files are staged.
    private struct Foreseen: Error {
        let step: PackageImport.Step?
    }

    // MARK: Saving the result

    private func finish(
        _ found: Found, _ work: ImportWork, _ job: Job, at now: Timestamp
    ) -> Job.Work<ImportWork> {
        var random = SystemRandomNumberGenerator()
        let draw = Int64.random(in: Job.RetryPlan.draws)
        let ids = (found.assets ?? []).map { _ in Job.ID.random(using: &random) }
        return ImportContext.plan.work(on: job, .init(tenant: found.row.tenant, id: work.id)) { results, queries in
            guard let row = results[queries.row], row.state != .withdrawn else { return (.done, []) }
            return found.settling(row, results[queries.assets], work, ids, at: now, draw: draw)
        }
    }
}

extension FetchPackage.Found {
    /// Computes the changes that save a run, without side effects.
    func settling(
        _ before: PackageImport, _ storedAssets: [ImportAsset], _ work: ImportWork, _ ids: [Job.ID], at now: Timestamp,
        draw: Int64
    ) -> (Job.Ending<ImportWork>, [RowWrite]) {
        var updated = before
        (updated.item, updated.version, updated.size, updated.source) = (row.item, row.version, row.size, row.source)
        let after = updated.taking(step, at: now, draw: draw)
        // The package's id became known in the meantime, so the package is published once more, with its id.
        if after.state == .ready, before.package != row.package { return (.again(at: now, work), []) }
        var saves: [RowWrite] = after == before ? [] : [.replace(before, by: after)]
        switch after.state {
        case .failed: return (.failed(after.cause ?? "failed", forGood: true), saves)
        case .waiting, .held: return (.again(at: after.nextAt ?? now, work), saves)
        case .ready: return (.again(at: now, work), saves + storedAssets.map { .remove($0) })
        default:
            if isToGoOn { return (.again(at: now, work), saves) }
        }
        saves += storedAssets.map { .remove($0) }
        for (asset, id) in zip(assets ?? [], ids) {
            guard let name = AssetID(asset.path.split(atByte: "/").last.map { String($0.dropLast(4)) } ?? "") else {
                continue
            }
            let kind: AppAsset.Kind = asset.path.hasPrefix("delta/") ? .delta : .variant
            let row = ImportAsset(
                tenant: before.tenant, importID: before.id, asset: name, kind: kind, size: asset.size, fetched: 0,
                etag: nil, keyBlob: nil, isDone: false, failures: 0, job: id.text)
            saves += [
                .insert(row),
                .insert(
                    JobName.importAsset.job(ImportWork(id: work.id, asset: name), id: id, of: before.tenant, at: now)),
            ]
        }
        return (.done, saves)
    }
}
