import TenureCore
import TenureFormats

@testable import TenureMarketplace

/// Random notifications are parsed or rejected, and parsing one again returns the same value.
let marketplaceNotices = FuzzTarget("MarketplaceNotice", longest: 768) { bytes in
    guard let notice = try? MarketplaceNotice(parsing: bytes) else { return }
    expect((try? MarketplaceNotice(parsing: bytes)) == notice, "a notice reads differently the second time")
    expect(!notice.id.isEmpty && notice.id.utf8.count <= bytes.count, notice.id)
}

/// The assets of a parsed manifest have different names, lie within the package, and their chunks cover them exactly.
let packageManifests = FuzzTarget("PackageManifest", longest: 2048, cost: 2) { bytes in
    guard let manifest = try? PackageManifest(parsing: bytes) else { return }
    let ids = manifest.variants.map(\.id) + manifest.deltas.map(\.id)
    expect(Set(ids).count == ids.count && !manifest.variants.isEmpty, "two assets have one name")
    for path in manifest.variants.map(\.path) + manifest.deltas.map(\.path) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        expect(parts.count == 2 && !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }, path)
    }
    let sizes =
        manifest.variants.map { ($0.compressedSize, $0.chunks) }
        + manifest.deltas.map { ($0.compressedSize, $0.chunks) }
    for (size, chunks) in sizes {
        expect((1...(1 << 50)).contains(size), "a size")
        guard let chunks else { continue }
        expect(chunks.size > 0 && Int64(chunks.digests.count) == (size + chunks.size - 1) / chunks.size, "chunks")
        var check = ChunkCheck(chunks)
        expect(check.take([]) == nil && check.end() == nil, "nothing doesn't match")
        _ = check.take([1, 2, 3])
        _ = check.end()
    }
}

let keyBlobs = FuzzTarget("KeyBlobs", longest: 384) { bytes in
    guard let blobs = try? KeyBlobs(parsing: bytes) else { return }
    expect(blobs.byAsset.values.allSatisfy { (1...KeyBlobs.blobLimit).contains($0.count) }, "a blob of another length")
}

/// Any end of a zip and any central directory are parsed or rejected. Parsed positions lie within the zip.
let zipLists = FuzzTarget("ZipList", longest: 512) { bytes in
    if let found = try? ZipDirectory.location(tail: bytes), let place = found.place {
        expect(place.length <= ZipDirectory.lengthLimit && place.count <= Int64(ZipDirectory.entryLimit), "a limit")
    }
    if let place = try? ZipDirectory.location(wide: bytes) { expect(place.start >= 0, "a negative place") }
    for entries in 0..<4 {
        guard let list = try? ZipDirectory(bytes, count: Int64(entries), ofZipWith: 1 << 33) else { continue }
        for entry in list.entries {
            expect(
                entry.size >= 0 && (0...(1 << 33)).contains(entry.packedSize) && entry.headPlace < 1 << 33, "a place")
            if let place = ZipDirectory.dataPlace(of: entry, head: bytes) { expect(place > entry.headPlace, "data") }
        }
    }
}

/// Versions of systems and apps are ordered, and codes of territories have one spelling.
let appleTexts = FuzzTarget("AppleText", longest: 96) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard let one = text(Array(parts[0])) else { return }
    if let territory = Territory(named: one) {
        expect(Territory(named: territory.code) == territory || territory.code.utf8.count == 2, one)
    }
    guard let version = SystemVersion(one) else { return }
    expect(SystemVersion(version.description) == version && !(version < version), one)
    guard parts.count == 2, let two = text(Array(parts[1])), let other = SystemVersion(two) else { return }
    expect([version < other, other < version, version == other].count { $0 } == 1, "\(version) and \(other)")
}

let replacedTokens = FuzzTarget("ReplacedTokens", longest: 128) { bytes in
    guard let text = text(bytes), let tokens = RefreshFamily.ReplacedTokens(text) else { return }
    expect(RefreshFamily.ReplacedTokens(tokens.description) == tokens && !tokens.contains(0), text)
}
