import Synchronization
import TenureCore
import TenureServerKit
import TenureStore

/// Keeps the key blobs that were used lately: a license carries its asset's, and reading it each time would be most of
/// what a renewal asks of the store.
final class KeyBlobCache: Sendable {
    private struct Name: Hashable {
        let tenant: TenantID
        let asset: AssetRef
    }

    private struct Kept {
        var version: Int64 = -1
        var blobs: [Name: [UInt8]] = [:]
    }

    private let store: any Store
    private let kept = Mutex(Kept())

    /// About 6 MB of Apple's blobs.
    private static let most = 10_000

    init(store: any Store) {
        self.store = store
    }

    /// The blobs of these assets; one that is missing breaks a promise of the catalog. Throws ``ServerError``.
    func blobs(
        of assets: Set<AssetRef>, at tenant: TenantID, catalogVersion: Int64
    ) async throws(ServerError) -> [AssetRef: [UInt8]] {
        var found = lookUp(assets, tenant, catalogVersion)
        let missing = assets.filter { found[$0] == nil }
        if missing.isEmpty { return found }
        let read = try await asking { () async throws(StoreError) in
            try await store.appAssets(Array(missing), of: tenant)
        }
        for asset in read { found[asset.ref] = asset.keyBlob }
        keep(found, tenant, catalogVersion)
        if let asset = missing.first(where: { found[$0] == nil }) {
            throw ServerError(
                .catalogInconsistent,
                "The key blob of asset \(asset.asset) of the app \(asset.item) is gone. Apply its package again.")
        }
        return found
    }

    private func lookUp(_ assets: Set<AssetRef>, _ tenant: TenantID, _ version: Int64) -> [AssetRef: [UInt8]] {
        kept.withLock { kept in
            guard kept.version == version else { return [:] }
            var found: [AssetRef: [UInt8]] = [:]
            for asset in assets { found[asset] = kept.blobs[Name(tenant: tenant, asset: asset)] }
            return found
        }
    }

    private func keep(_ blobs: [AssetRef: [UInt8]], _ tenant: TenantID, _ version: Int64) {
        kept.withLock { kept in
            if kept.version != version || kept.blobs.count + blobs.count > Self.most {
                kept = Kept(version: version)
            }
            for (asset, blob) in blobs { kept.blobs[Name(tenant: tenant, asset: asset)] = blob }
        }
    }
}
