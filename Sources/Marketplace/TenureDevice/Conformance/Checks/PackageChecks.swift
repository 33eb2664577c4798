import TenureMarketplace
import TenureHTTPClient

extension ConformanceCheck {
    private static let adp = "Apple, hosting alternative distribution packages"
    private static let ranges = "RFC 9110, 14"

    static let package: [ConformanceCheck] =
        there("package.manifest_", of: .manifest, "The package's manifest", source: adp)
        + there("package.signature_", of: .signature, "The package's signature", source: adp) + files + parts + bytes
        + LintRule.all.filter { $0.id.hasPrefix("manifest.") }.map { rule in
            linted(rule, of: .manifest) { exchange, _ in
                exchange.isDone ? exchange.response.map { LintedFile.findings(in: $0.body, as: .manifest) } : nil
            }
        }

    private static let files: [ConformanceCheck] = [
        done(
            "package.other_app", .error, of: .manifest, "The manifest is that of the app and version asked for",
            expected: "the app and the version of the offer", fix: "Serve each version below an address of its own.",
            source: adp
        ) { _, seen in
            guard let manifest = seen.manifest else { return .skip("the manifest cannot be read") }
            guard let item = seen.options.item else { return .skip("no --item was given") }
            if manifest.item != item { return .fail("It is that of app \(manifest.item).") }
            if let version = seen.packageVersion, manifest.version != version {
                return .fail("It is that of version \(manifest.version).")
            }
            return .pass
        },
        done(
            "package.signature_empty", .error, of: .signature, "The signature has bytes",
            expected: "the file as Apple made it", fix: "Fetch the package again.", source: adp
        ) { exchange, _ in exchange.response?.body.isEmpty == false ? .pass : .fail("It is empty.") },
        ConformanceCheck(
            "package.extra_file", .warning, of: .extraFile, "There is nothing beside the package's files",
            expected: "404 for a file that is not named by the manifest", fix: "Answer 404.", source: adp
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return status == 200 ? .fail("A file that does not exist is answered 200.") : .pass
        },
        ConformanceCheck(
            "package.coding", .error, of: .manifest, "Files are sent as they are", expected: "no Content-Encoding",
            fix: "Switch compression off for packages: their bytes are signed.", source: adp
        ) { _, seen in
            let coded = Question.allCases.compactMap { seen[$0] }.first { $0.question.isPackage && $0.isCoded }
            return coded.map { .fail("\($0.sent) is answered with a Content-Encoding.") } ?? .pass
        },
        ConformanceCheck(
            "package.asset_status", .error, of: .assetHead, "The asset is there", expected: "200 to HEAD",
            fix: "Put it where the manifest says, in the same letters, and answer HEAD.", source: adp
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return status == 200 ? .pass : .fail("HEAD is answered \(status).")
        },
        done(
            "package.asset_length", .error, of: .assetHead, "HEAD tells how long an asset is",
            expected: "Content-Length", fix: "Send it.", source: "RFC 9110, 8.6"
        ) { exchange, _ in
            exchange.length == nil ? .fail("There is no Content-Length.") : .pass
        },
        done(
            "package.asset_size", .error, of: .assetHead, "The asset is as long as the manifest says",
            expected: "compressedSize of the manifest", fix: "Fetch the asset again.", source: adp
        ) { exchange, seen in
            guard let length = exchange.length, let size = seen.asset?.size else {
                return .skip("its length is not told")
            }
            return length == size ? .pass : .fail("It has \(length) bytes, and the manifest says \(size).")
        },
        done(
            "package.etag_missing", .warning, of: .assetHead, "An asset has an ETag", expected: "ETag",
            fix: "Send one: a broken download goes on by it.", source: "RFC 9110, 8.8.3"
        ) { exchange, _ in exchange.tag == nil ? .fail("There is none.") : .pass },
        done(
            "package.etag_weak", .error, of: .assetHead, "The ETag is strong", expected: "an ETag without W/",
            fix: "Make it of the bytes; compression on the way makes it weak.", source: "RFC 9110, 13.1.5"
        ) { exchange, _ in
            guard let tag = exchange.tag else { return .skip("there is none") }
            return tag.hasPrefix("W/") ? .fail("It is \(tag.bounded).") : .pass
        },
        done(
            "package.etag_changes", .error, of: .assetHead, "The ETag stays", expected: "one ETag for one file",
            fix: "Make it of the bytes alone, the same on every server.", source: "RFC 9110, 8.8.1"
        ) { _, seen in
            let tags = [Question.assetHead, .assetWhole, .assetStart, .assetMiddle].compactMap { seen[$0] }
                .filter { $0.status == 200 || $0.status == 206 }.compactMap(\.tag)
            guard tags.count > 1 else { return .skip("it was told once at most") }
            return Set(tags).count == 1 ? .pass : .fail("It was \(tags[0].bounded), then another.")
        },
    ]

    private static let parts: [ConformanceCheck] = [
        ConformanceCheck(
            "package.range_ignored", .error, of: .assetStart, "A part of an asset is given", expected: "206",
            fix: "Answer Range with 206: a broken download starts anew without.", source: ranges
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return status == 206 ? .pass : .fail("It is answered \(status).")
        },
        part(
            "package.range_place", "A part is said to be the one that was asked for",
            expected: "Content-Range with what was asked and the asset's length",
            fix: "Count from 0, the last byte included."
        ) { exchange, range, size in
            let field = exchange.response?.fields["Content-Range"] ?? ""
            let wanted = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
            return field == wanted ? nil : "It is \(field.isEmpty ? "missing" : field.bounded), not \(wanted)."
        },
        part(
            "package.range_length", "A part has as many bytes as were asked for",
            expected: "as many bytes", fix: "Send the bytes that Content-Range names."
        ) { exchange, range, _ in
            let count = exchange.response?.body.count ?? 0
            return count == range.count && !exchange.isCut ? nil : "It has \(count), not \(range.count)."
        },
        ConformanceCheck(
            "package.range_beyond", .error, of: .assetBeyond, "A part behind the end is refused", expected: "416",
            fix: "Answer 416 with Content-Range: bytes */LENGTH.", source: ranges
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            guard seen[.assetStart]?.status == 206 else { return .skip("no parts are given") }
            return status == 416 ? .pass : .fail("It is answered \(status).")
        },
        ConformanceCheck(
            "package.unchanged", .warning, of: .assetUnchanged, "What is unchanged is not sent again",
            expected: "304 to If-None-Match", fix: "Compare the ETag.", source: "RFC 9110, 13.1.2"
        ) { exchange, _ in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            return status == 304 ? .pass : .fail("It is answered \(status).")
        },
    ]

    private static func part(
        _ id: String, _ title: String, expected: String, fix: String,
        fault: @escaping @Sendable (RecordedExchange, ClosedRange<Int64>, Int64) -> String?
    ) -> ConformanceCheck {
        ConformanceCheck(id, .error, of: .assetMiddle, title, expected: expected, fix: fix, source: ranges) {
            exchange, seen in
            guard exchange.status == 206, let size = seen.asset?.size else { return .skip("no parts are given") }
            return fault(exchange, SeenMarketplace.middle(of: size), size).map { .fail($0) } ?? .pass
        }
    }
}

extension RecordedExchange {
    fileprivate var length: Int64? { response?.fields["Content-Length"].flatMap { Int64($0) } }
    fileprivate var tag: String? { response?.fields["ETag"] }
}
