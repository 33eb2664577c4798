import Synchronization
import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore
import TenureThreads

/// Fetches one asset of a package, in runs of about a minute.
///
/// Each chunk is checked on arrival. The next run continues after the bytes that are safely on disk, even on another
/// server.
struct FetchAsset: Sendable {
    let context: ImportContext

    var kind: Job.Kind<ImportWork> {
        Job.Kind(.importAsset, rules: ImportContext.rules) { [self] work, job, now in
            guard let tenant = job.tenant, let asset = work.asset,
                let (row, assets) = try await context.fetch(work.id, of: tenant)
            else { return .ending(.done, of: job) }
            if row.state == .withdrawn {
                try await context.onDisk { [context] in try context.fetchFolder.remove(row) }
            }
            // A restarted import has new jobs. Without this check, an old and a new job would write the same file.
            guard !row.state.isOver || row.state == .failed,
                let importAsset = assets.first(where: { $0.asset == asset && $0.job == job.id }), !importAsset.isDone
            else { return .ending(.done, of: job) }
            let piece: Piece
            do throws(ServerError) {
                piece = try await fetch(importAsset, of: row)
            } catch {
                context.log.write(
                    LogLine(
                        .warning, "package_fetch_failed", [("job", .text(job.id)), ("error", .text(error.description))])
                )
                piece = Piece(asset: importAsset, step: error.step)
            }
            return finish(piece, work, job, at: context.clock.now())
        }
    }

    /// The result of one run of the job.
    struct Piece: Sendable {
        var asset: ImportAsset
        var step: PackageImport.Step
    }

    /// How long one run of the job downloads, in seconds.
    static let seconds = 60

    private func fetch(_ importAsset: ImportAsset, of row: PackageImport) async throws(ServerError) -> Piece {
        guard let appStore = try await context.appStore(of: row.tenant) else {
            return Piece(asset: importAsset, step: .waiting("not_connected", seconds: 3600))
        }
        var piece = Piece(asset: importAsset, step: .fetching)
        do {
            let resource = try await appStore.asset(importAsset.asset, isDelta: importAsset.kind == .delta)
            piece.asset.keyBlob = resource.keyBlob ?? importAsset.keyBlob
            if let remaining = resource.remaining, remaining < 5 {
                return Piece(asset: piece.asset, step: .waiting("rate_limited", seconds: 600))
            }
            guard let url = resource.url else { throw ConnectTrouble(.trouble, "unreadable") }
            let file = try await context.onDisk { [context] in
                try Self.open(importAsset, of: row, at: context.fetchFolder)
            }
            guard let file else { return Piece(asset: piece.asset, step: .failed("files_missing")) }
            try await take(url, resource.checksum, into: file, &piece, from: appStore)
        } catch let trouble as ConnectTrouble {
            piece.step = ImportContext.step(trouble, jitter: .random(in: Job.RetryPlan.draws))
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(.init("unforeseen"), "An unexpected error occurred.", cause: "\(error)")
        }
        return piece
    }

    /// Opens the asset's file, to continue after its verified bytes; `nil` if the manifest is missing.
    ///
    /// If this version is already served with the same asset, its file is linked instead.
    private static func open(
        _ importAsset: ImportAsset, of row: PackageImport, at fetchFolder: FetchFolder
    ) throws(ServerError) -> FetchedFile? {
        guard let manifest = try fetchFolder.manifest(row), let root = try fetchFolder.opened(row),
            let asset = manifest.assets.first(where: { $0.path == importAsset.path })
        else { return nil }
        let folder = try root.creating(importAsset.kind.rawValue)
        let name = "\(importAsset.asset).ipa"
        if importAsset.fetched == 0, let version = row.version, let item = row.item {
            let ref = PackageRef(tenant: row.tenant, item: item, version: version)
            let served = try fetchFolder.packageStore.folder(of: ref)?.folder(importAsset.kind.rawValue)
            // Other bytes may have the same name and size, so compare the digests. Without digests, fetch the file.
            let chunks = try fetchFolder.packageStore.manifest(of: ref)?.assets.first { $0.path == importAsset.path }?
                .chunks
            if let served, let chunks, chunks == asset.chunks, try served.file(name)?.size == importAsset.size {
                try folder.remove(name)
                if try served.link(name, in: folder) {
                    return try FetchedFile(name, of: asset, in: folder, from: importAsset.size)
                }
            }
        }
        return try FetchedFile(name, of: asset, in: folder, from: importAsset.fetched)
    }

    private func take(
        _ url: String, _ checksum: String?, into file: FetchedFile, _ piece: inout Piece,
        from appStore: AppStoreConnect
    ) async throws {
        let importAsset = piece.asset
        let start = file.status.count
        var headers = Headers()
        if start > 0 {
            headers.add("Range", "bytes=\(start)-")
            if let etag = importAsset.etag { headers.add("If-Range", etag) }
        }
        let deadline = SteadyTime.now().advanced(by: .seconds(Self.seconds))
        var trouble: ConnectTrouble?
        let etag = Mutex<String?>(importAsset.etag)
        if start < importAsset.size {
            do throws(ConnectTrouble) {
                let answer = try await appStore.follow(
                    url, headers: headers, limit: importAsset.size + (64 << 10), seconds: Self.seconds + 60,
                    begin: { answer in
                        let isWanted =
                            switch answer.status {
                            case 206: Self.begins(answer, at: start)
                            case 200: start == 0 || (try? file.cut(to: 0)) != nil
                            default: false
                            }
                        // Store the tag before the first byte arrives, because the response may break off.
                        if isWanted { etag.withLock { $0 = Self.strongTag(answer) } }
                        return isWanted
                    },
                    take: { bytes in file.append(bytes) && SteadyTime.now() < deadline })
                trouble = Self.trouble(answer, at: start, context.clock.now())
            } catch {
                trouble = error
            }
        }
        let status = try await context.onDisk { try file.finish() }
        if let failure = status.failure { throw failure }
        piece.asset.fetched = status.count
        piece.asset.etag = etag.withLock { $0 }
        if status.isTooLong { throw ConnectTrouble(.failed, "asset_too_long") }
        if status.damagedChunk != nil {
            piece.asset.etag = nil
            throw ConnectTrouble(.trouble, "asset_damaged")
        }
        if status.count == importAsset.size, !file.hasDigests, let checksum = checksum.flatMap({ Hex.decode($0) }),
            try await !context.onDisk({ try file.matches(checksum) })
        {
            (piece.asset.fetched, piece.asset.etag) = (0, nil)
            throw ConnectTrouble(.trouble, "asset_damaged")
        }
        piece.asset.isDone = status.count == importAsset.size
        // If any bytes arrived, the next run starts at once, however the exchange ended. Otherwise, the job waits
        // before it tries again.
        if !piece.asset.isDone, status.count <= start { throw trouble ?? ConnectTrouble(.trouble, "nothing_came") }
    }

    /// The response's strong entity tag; `nil` if the tag is weak, malformed or missing.
    private static func strongTag(_ answer: Response) -> String? {
        answer.headers["ETag"].flatMap { tag in
            let isPlain = tag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return tag.hasPrefix("W/") || !isPlain || tag.utf8.count > 200 ? nil : tag
        }
    }

    /// Whether a partial response begins at the requested offset.
    private static func begins(_ answer: Response, at start: Int64) -> Bool {
        answer.headers["Content-Range"].map { $0.lowercased().hasPrefix("bytes \(start)-") } ?? false
    }

    /// Why a response can't be used; `nil` if it can.
    private static func trouble(_ answer: Response, at start: Int64, _ now: Timestamp) -> ConnectTrouble? {
        switch answer.status {
        case 200: nil
        case 206: begins(answer, at: start) ? nil : ConnectTrouble(.trouble, "other_range")
        // The link has expired, so the next run requests a new one.
        case 401, 403, 404, 410: ConnectTrouble(.trouble, "link_expired")
        case 416: ConnectTrouble(.trouble, "other_range")
        default: ConnectTrouble(answer, at: now)
        }
    }

    /// Saves the result of a run, and when the job runs again.
    ///
    /// The last finished asset starts the job that publishes the package.
    private func finish(
        _ piece: Piece, _ work: ImportWork, _ job: Job, at now: Timestamp
    ) -> Job.Work<ImportWork> {
        var random = SystemRandomNumberGenerator()
        let (draw, next) = (Int64.random(in: Job.RetryPlan.draws), Job.ID.random(using: &random))
        return ImportContext.plan.work(on: job, .init(tenant: piece.asset.tenant, id: work.id)) { results, queries in
            guard let row = results[queries.row], row.state != .withdrawn,
                let before = results[queries.assets].first(where: { $0.asset == piece.asset.asset }), !before.isDone,
                before.job == piece.asset.job
            else { return (.done, []) }
            return piece.settling(row, before, among: results[queries.assets], work, next: next, at: now, draw: draw)
        }
    }
}

extension FetchAsset.Piece {
    /// Computes the changes that save a run, without side effects.
    func settling(
        _ row: PackageImport, _ before: ImportAsset, among assets: [ImportAsset], _ work: ImportWork, next: Job.ID,
        at now: Timestamp, draw: Int64
    ) -> (Job.Ending<ImportWork>, [RowWrite]) {
        var after = asset
        // Each asset has its own retry plan, so an unavailable asset doesn't count against the others.
        var own = row
        own.failures = before.isGivenUp ? 0 : before.failures
        var asset = own.taking(step, at: now, draw: draw)
        after.failures =
            asset.state == .failed ? PackageImport.plan.lastAttempt : step == .fetching ? 0 : asset.failures
        let isLast = after.isDone && assets.allSatisfy { $0.asset == after.asset || $0.isDone }
        if asset.state == .fetching, row.state == .failed { asset.failures = 0 }
        var saves: [RowWrite] = after == before ? [] : [.replace(before, by: after)]
        // If another asset has been given up, the import stays failed, whatever this run achieved.
        let isFailed = row.state == .failed && assets.contains { $0.asset != after.asset && $0.isGivenUp }
        let ending: Job.Ending<ImportWork>
        switch asset.state {
        case .failed: ending = .failed(asset.cause ?? "failed", forGood: true)
        case .waiting: ending = .again(at: asset.nextAt ?? now, work)
        default: ending = after.isDone ? .done : .again(at: now, work)
        }
        if isLast {
            asset.job = next.text
            saves.append(
                .insert(JobName.packageImport.job(ImportWork(id: work.id), id: next, of: row.tenant, at: now)))
        }
        if isFailed { asset = row }
        if asset != row { saves.append(.replace(row, by: asset)) }
        return (ending, saves)
    }
}

extension ImportAsset {
    /// Whether the asset has used up its automatic retries.
    var isGivenUp: Bool { !isDone && failures >= PackageImport.plan.lastAttempt }

    /// The path of the asset's file below the package's folder.
    var path: String { "\(kind.rawValue)/\(asset).ipa" }
}
