import Synchronization
import TenureCore
import TenureServerKit
import TenureStore

/// Caches recently used key blobs.
///
/// Every license contains its asset's blob. Without the cache, reading the blobs would be most of a renewal's work in
/// the store.
final class KeyBlobCache: Sendable {
    private struct Name: Hashable {
        let tenant: TenantID
        let asset: AssetRef
    }

    private struct Kept {
        var version: Int64 = -1
        var blobs: [Name: [UInt8]] = [:]
    }

    private let store: ServerStore
    private let cached = Mutex(Kept())

    /// The maximum number of cached blobs, about 6 MB at Apple's blob size.
    private static let most = 10_000

    init(store: ServerStore) {
        self.store = store
    }

    /// Returns the blobs of these assets, in their order.
    ///
    /// - Throws: ``ServerError`` if a blob is missing, which means that the catalog is inconsistent, or if the store
    ///   fails.
    func blobs(
        of assets: [AssetRef], at tenant: TenantID, catalogVersion: Int64
    ) async throws(ServerError) -> [[UInt8]] {
        if let found = lookUp(assets, tenant, catalogVersion) { return found }
        let read = try await store.appAssets(assets, of: tenant)
        var blobs: [AssetRef: [UInt8]] = [:]
        for asset in read { blobs[asset.ref] = asset.keyBlob }
        keep(blobs, tenant, catalogVersion)
        return try assets.map { asset throws(ServerError) in
            guard let blob = blobs[asset] else {
                throw ServerError(
                    .catalogInconsistent,
                    "The key blob of asset \(asset.asset) of the app \(asset.item) is missing. Apply its package again."
                )
            }
            return blob
        }
    }

    /// Returns the cached blobs of these assets; `nil` unless all of them are cached.
    private func lookUp(_ assets: [AssetRef], _ tenant: TenantID, _ version: Int64) -> [[UInt8]]? {
        cached.withLock { cached in
            guard cached.version == version else { return nil }
            var found: [[UInt8]] = []
            found.reserveCapacity(assets.count)
            for asset in assets {
                guard let blob = cached.blobs[Name(tenant: tenant, asset: asset)] else { return nil }
                found.append(blob)
            }
            return found
        }
    }

    private func keep(_ blobs: [AssetRef: [UInt8]], _ tenant: TenantID, _ version: Int64) {
        cached.withLock { cached in
            if cached.version != version || cached.blobs.count + blobs.count > Self.most {
                cached = Kept(version: version)
            }
            for (asset, blob) in blobs { cached.blobs[Name(tenant: tenant, asset: asset)] = blob }
        }
    }
}
