import TenureHTTP
import TenureMarketplace

/// Checks of a package, its files and its manifest.
enum PackageChecks {
    private static let adp = "Apple, hosting alternative distribution packages"
    private static let ranges = "RFC 9110, 14"

    static let all: [Check] =
        Check.there("package.manifest_", of: .manifest, "The package's manifest", source: adp)
        + Check.there("package.signature_", of: .signature, "The package's signature", source: adp) + files + parts
        + AssetByteChecks.all + Check.linted("manifest", of: .manifest, as: .manifest)

    private static let files: [Check] = [
        Check.done(
            "package.other_app", .error, of: .manifest, "The manifest is for the requested app and version",
            expected: "the app and the version of the offer", fix: "Serve each version under a separate URL.",
            source: adp
        ) { _, seen in
            guard let manifest = seen.manifest else { return .skip("the manifest can't be read") }
            guard let item = seen.options.item else { return .skip("no --item was given") }
            if manifest.item != item { return .fail("It is for app \(manifest.item).") }
            if let version = seen.packageVersion, manifest.version != version {
                return .fail("It is for version \(manifest.version).")
            }
            return .pass
        },
        Check.done(
            "package.signature_empty", .error, of: .signature, "The signature is not empty",
            expected: "the signature file from Apple", fix: "Fetch the package again.", source: adp
        ) { exchange, _ in exchange.response?.body.bytes.isEmpty == false ? .pass : .fail("It is empty.") },
        Check(
            "package.extra_file", .warning, of: .extraFile, "Only the package's files are served",
            expected: "404 for a file that isn't listed in the manifest", fix: "Return 404.", source: adp
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return status == 200 ? .fail("A file that doesn't exist returned 200.") : .pass
        },
        Check.uncoded(
            "package.coding", of: .manifest, "Files are sent uncompressed", expected: "no Content-Encoding",
            fix: "Turn compression off for packages; their bytes are signed.", source: adp, among: \.isPackage),
        Check(
            "package.asset_status", .error, of: .assetHead, "The asset is available", expected: "200 to HEAD",
            fix: "Put it at the path in the manifest, with the same upper and lower case, and support HEAD.",
            source: adp
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return status == 200 ? .pass : .fail("HEAD returned \(status).")
        },
        Check.done(
            "package.asset_length", .error, of: .assetHead, "HEAD reports the length of an asset",
            expected: "Content-Length", fix: "Send it.", source: "RFC 9110, 8.6"
        ) { exchange, _ in
            exchange.length == nil ? .fail("Content-Length is missing.") : .pass
        },
        Check.done(
            "package.asset_size", .error, of: .assetHead, "The asset has the size in the manifest",
            expected: "compressedSize of the manifest", fix: "Fetch the asset again.", source: adp
        ) { exchange, seen in
            guard let length = exchange.length, let size = seen.asset?.size else {
                return .skip("its length wasn't reported")
            }
            return length == size ? .pass : .fail("It has \(length) bytes, but the manifest says \(size).")
        },
        Check.done(
            "package.etag_missing", .warning, of: .assetHead, "An asset has an ETag", expected: "ETag",
            fix: "Send one; interrupted downloads need it to resume.", source: "RFC 9110, 8.8.3"
        ) { exchange, _ in exchange.tag == nil ? .fail("It is missing.") : .pass },
        Check.done(
            "package.etag_weak", .error, of: .assetHead, "The ETag is strong", expected: "an ETag without W/",
            fix: "Derive it from the bytes; compression by a proxy makes it weak.", source: "RFC 9110, 13.1.5"
        ) { exchange, _ in
            guard let tag = exchange.tag else { return .skip("there is none") }
            return tag.hasPrefix("W/") ? .fail("It is \(tag.bounded).") : .pass
        },
        Check.done(
            "package.etag_changes", .error, of: .assetHead, "The ETag is stable",
            expected: "the same ETag for the same file",
            fix: "Derive it only from the bytes, so that it is the same on every server.", source: "RFC 9110, 8.8.1"
        ) { _, seen in
            let tags = [Question.assetHead, .assetWhole, .assetStart, .assetMiddle].compactMap { seen[$0] }
                .filter { $0.status == 200 || $0.status == 206 }.compactMap(\.tag)
            guard tags.count > 1 else { return .skip("it was sent at most once") }
            return Set(tags).count == 1 ? .pass : .fail("It was \(tags[0].bounded), then changed.")
        },
    ]

    private static let parts: [Check] = [
        Check.answered(
            "package.range_ignored", of: .assetStart, "A range of an asset is served", with: 206...206, expected: "206",
            fix: "Respond to Range with 206; without it, an interrupted download starts over.", source: ranges),
        part(
            "package.range_place", "A range is labeled as the requested one",
            expected: "Content-Range with the requested range and the asset's length",
            fix: "Count from 0, including the last byte."
        ) { exchange, range, size in
            let field = exchange.response?.headers["Content-Range"] ?? ""
            let contentRange = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
            return field == contentRange
                ? nil : "It is \(field.isEmpty ? "missing" : field.bounded), not \(contentRange)."
        },
        part(
            "package.range_length", "A range has the requested number of bytes",
            expected: "the requested number of bytes", fix: "Send exactly the bytes in Content-Range."
        ) { exchange, range, _ in
            let count = exchange.response?.body.bytes.count ?? 0
            return count == range.count && !exchange.isCut ? nil : "It has \(count), not \(range.count)."
        },
        Check(
            "package.range_beyond", .error, of: .assetBeyond, "A range beyond the end is refused", expected: "416",
            fix: "Return 416 with Content-Range: bytes */LENGTH.", source: ranges
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            guard seen[.assetStart]?.status == 206 else { return .skip("no ranges are served") }
            return status == 416 ? .pass : .fail("The status is \(status).")
        },
        Check.answered(
            "package.unchanged", .warning, of: .assetUnchanged, "An unchanged file is not sent again", with: 304...304,
            expected: "304 to If-None-Match", fix: "Compare the ETag.", source: "RFC 9110, 13.1.2"),
    ]

    private static func part(
        _ id: String, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable (RecordedExchange, ClosedRange<Int64>, Int64) -> String?
    ) -> Check {
        Check(id, .error, of: .assetMiddle, title, expected: expected, fix: fix, source: ranges) {
            exchange, seen in
            guard exchange.status == 206, let size = seen.asset?.size else { return .skip("no ranges are served") }
            return fault(exchange, SeenMarketplace.middle(of: size), size).map { .fail($0) } ?? .pass
        }
    }
}

extension RecordedExchange {
    fileprivate var length: Int64? { response?.headers["Content-Length"].flatMap { Int64($0) } }
    fileprivate var tag: String? { response?.headers["ETag"] }
}
