import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace

/// Checks of an asset's bytes, whose errors a device would notice only at the end of a download.
enum AssetByteChecks {
    static let all: [Check] = [
        Check(
            "package.corrupt", .error, of: .assetWhole, "The bytes of a variant and of a delta match the manifest",
            expected: "the first and last chunk with the digests of the manifest", fix: "Fetch the asset again.",
            source: "Apple, the manifest of an alternative distribution package"
        ) { exchange, seen in
            if let fault = seen.otherAssetFault { return .fail(fault) }
            guard exchange.isDone else { return .skip(exchange.whyNothing) }
            guard let asset = seen.asset, let chunks = asset.chunks, let last = asset.lastChunk else {
                return .skip("the manifest has no digests for the asset")
            }
            let body = exchange.response?.body.bytes ?? []
            // Another check compares the asset's length.
            if !exchange.isCut, Int64(body.count) != asset.size { return .skip("the asset has a different length") }
            guard let first = asset.firstChunk, first.count <= body.count else {
                return .skip(SeenMarketplace.chunkTooLong)
            }
            if let fault = chunks.fault(of: body[..<first.count], at: 0, "first") { return .fail(fault) }
            if last.upperBound < body.count {
                let bytes = body[Int(last.lowerBound)...Int(last.upperBound)]
                return chunks.fault(of: bytes, at: chunks.digests.count - 1, "last").map { .fail($0) } ?? .pass
            }
            // If the server sends the wrong ranges, the asset itself may still be intact.
            guard let part = seen[.assetLast], part.status == 206, part.response?.body.bytes.count == last.count,
                seen.shiftedPart == nil
            else { return .skip("the last chunk wasn't sent") }
            let bytes = (part.response?.body.bytes ?? [])[...]
            return chunks.fault(of: bytes, at: chunks.digests.count - 1, "last").map { .fail($0) } ?? .pass
        },
        Check(
            "package.range_shifted", .error, of: .assetWhole, "A range has the bytes at its position in the file",
            expected: "the same bytes as in the whole file", fix: "Count from 0, including the last byte.",
            source: "RFC 9110, 14"
        ) { exchange, seen in
            guard exchange.isDone else { return .skip(exchange.whyNothing) }
            if let shifted = seen.shiftedPart {
                return .fail("\(shifted.words) has different bytes than the whole file at this position.")
            }
            return seen.comparedParts.isEmpty ? .skip("no range was sent that could be compared") : .pass
        },
    ]
}

extension SeenMarketplace {
    /// Describes the error in a chunk of ``otherAsset``; `nil` if its chunks match or weren't sent.
    ///
    /// Other checks report a server that ignores ranges or sends wrong ones.
    fileprivate var otherAssetFault: String? {
        guard let asset = otherAsset, let chunks = asset.chunks, shiftedPart == nil else { return nil }
        let name = manifest?.variants.contains { $0.path == asset.path } == true ? "variant" : "delta"
        for (question, chunk, chunkIndex, position) in [
            (Question.otherAssetFirst, asset.firstChunk, 0, "first"),
            (.otherAssetLast, asset.lastChunk, chunks.digests.count - 1, "last"),
        ] {
            guard let exchange = self[question], exchange.status == 206, let chunk, let response = exchange.response,
                response.body.bytes.count == chunk.count
            else { continue }
            if let fault = chunks.fault(of: response.body.bytes[...], at: chunkIndex, position) {
                return "\(asset.path), a \(name): \(fault)"
            }
        }
        return nil
    }

    /// The ranges of the asset that the server returned as requested, with their positions.
    fileprivate var comparedParts: [(question: Question, range: ClosedRange<Int64>)] {
        guard let size = asset?.size, self[.assetWhole]?.isDone == true else { return [] }
        let bodySize = Int64(self[.assetWhole]?.response?.body.bytes.count ?? 0)
        return [(Question.assetStart, Self.piece(of: size)), (.assetMiddle, Self.middle(of: size))].filter { part in
            guard let exchange = self[part.0], exchange.status == 206, part.1.upperBound < bodySize else {
                return false
            }
            // Other checks report a response with another range or another length.
            let range = "bytes \(part.1.lowerBound)-\(part.1.upperBound)/\(size)"
            let response = exchange.response
            return response?.headers["Content-Range"] == range && response?.body.bytes.count == part.1.count
        }
    }

    /// The first request for a byte range that returned other bytes than the whole asset has there; `nil` if there is
    /// none.
    fileprivate var shiftedPart: Question? {
        guard let whole = self[.assetWhole]?.response?.body.bytes else { return nil }
        return comparedParts.first { part in
            let there = whole[Int(part.range.lowerBound)...Int(part.range.upperBound)]
            return self[part.question]?.response?.body.bytes.elementsEqual(there) == false
        }?.question
    }
}

extension PackageManifest.Asset {
    /// The byte range of the first chunk that has a digest; `nil` if no chunk has one.
    var firstChunk: ClosedRange<Int64>? {
        guard let chunks, size > 0, chunks.size > 0, !chunks.digests.isEmpty else { return nil }
        return 0...(min(chunks.size, size) - 1)
    }

    /// The byte range of the last chunk that has a digest; `nil` if no chunk has one, or if that chunk begins after the
    /// asset's end.
    var lastChunk: ClosedRange<Int64>? {
        guard let chunks, size > 0, chunks.size > 0, !chunks.digests.isEmpty else { return nil }
        let start = Int64(chunks.digests.count - 1) * chunks.size
        return start < size ? start...(size - 1) : nil
    }
}

extension PackageManifest.Chunks {
    /// Describes the error in a chunk's bytes; `nil` if they match its digest.
    fileprivate func fault(of bytes: ArraySlice<UInt8>, at offset: Int, _ name: String) -> String? {
        SHA256.hash(Array(bytes)) == digests[offset].bytes ? nil : "The digest of the \(name) chunk doesn't match."
    }
}
