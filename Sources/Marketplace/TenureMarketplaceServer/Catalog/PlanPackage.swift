import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension CatalogPlan {
    /// Plans the changes to a version, and to its assets with their key blobs.
    mutating func plan(
        _ package: PackageSpec, over existing: AppVersion?, named app: String, _ facts: MarketplaceFacts
    ) {
        let assets = PlannedAssets(package, facts)
        let version = "\(app)/\(package.version.id)"
        if let existing {
            let facts = package.version.edits(from: existing).map(\.description) + assets.changes
            if !facts.isEmpty { add(PlannedChange(.update, "version", version, facts.joined(separator: ", "))) }
        } else {
            add(
                PlannedChange(
                    .create, "version", version,
                    "\(package.version.shortVersion) (\(package.version.bundleVersion)), "
                        + "\(count(package.variants.count, "variant")), \(count(package.deltas.count, "delta"))"))
        }
        if assets.createdCount > 0 {
            add(PlannedChange(.note, "app", app, "\(count(assets.createdCount, "key blob")) created (simulated)"))
        }
        if let some = assets.withoutKey {
            add(
                PlannedChange(
                    .keep, "app", app,
                    "no key blob for \(some) of version \(package.version.id), so no license for it: add it to "
                        + "keyblobs.json"))
        }
        for save in assets.saves { self.save(save) }
    }
}

/// The assets of a package that are to be stored, with the numbers for the plan's report.
struct PlannedAssets {
    private(set) var saves: [RowWrite] = []
    private(set) var added = 0
    private(set) var changed = 0
    private(set) var createdCount = 0
    private(set) var keyless: [AssetID] = []

    init(_ package: PackageSpec, _ facts: MarketplaceFacts) {
        for (kind, ids) in [(AppAsset.Kind.variant, package.variants), (.delta, package.deltas)] {
            for id in ids {
                plan(AssetRef(item: package.item, version: package.version.id, asset: id), kind, package, facts)
            }
        }
    }

    /// Plans one asset.
    ///
    /// A blob from the package takes precedence, then a real blob that is already stored. A generated blob is used only
    /// for a marketplace without imported keys.
    private mutating func plan(
        _ ref: AssetRef, _ kind: AppAsset.Kind, _ package: PackageSpec, _ facts: MarketplaceFacts
    ) {
        let stored = facts.stored[package.tenant]?[ref]
        let blob: [UInt8]?
        var isSimulated = false
        if let given = package.keyBlobs[ref.asset] ?? (stored?.isSimulated == false ? stored?.keyBlob : nil) {
            blob = given
        } else if facts.withImportedKeys.contains(package.tenant) {
            blob = nil
            keyless.append(ref.asset)
        } else if let old = stored?.keyBlob {
            blob = old
            isSimulated = true
        } else {
            blob = facts.keyBlobs[package.tenant]?[ref]
            isSimulated = true
            createdCount += 1
        }
        let asset = AppAsset(
            tenant: package.tenant, ref: ref, kind: kind, keyBlob: blob, isSimulated: isSimulated)
        guard asset != stored else { return }
        saves.append(.put(asset, over: stored))
        if stored == nil { added += 1 } else { changed += 1 }
    }

    /// The changes to a known version, for the report.
    var changes: [String] {
        (added > 0 ? ["\(count(added, "asset")) added"] : [])
            + (changed > 0 ? ["\(count(changed, "key blob")) changed"] : [])
    }

    /// The assets without a key, the first three by name; `nil` if all assets have a key.
    var withoutKey: String? {
        guard !keyless.isEmpty else { return nil }
        let names = keyless.prefix(3).map(\.text).joined(separator: ", ")
        return keyless.count > 3 ? "\(names) and \(keyless.count - 3) more" : names
    }
}

private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)" + (number == 1 ? "" : "s") }

extension AppVersion {
    /// The differences from another description of this version.
    func edits(from old: AppVersion) -> [CatalogEdit] {
        [
            CatalogEdit("shortVersion", old.shortVersion, shortVersion),
            CatalogEdit("bundleVersion", old.bundleVersion, bundleVersion),
            CatalogEdit("lowestSystem", old.toldSystems, toldSystems),
            CatalogEdit("download", old.toldBytes, toldBytes),
        ].filter { $0.old != $0.new }
    }

    private var toldBytes: String {
        downloadBytes.map { "\($0.lowerBound) to \($0.upperBound) bytes" } ?? "unknown"
    }

    private var toldSystems: String {
        let all = ApplePlatform.allCases.compactMap { platform in
            lowestSystems[platform].map { "\(platform.rawValue) \($0)" }
        }
        return all.isEmpty ? "none" : all.joined(separator: " and ")
    }
}
