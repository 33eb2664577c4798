import TenureMarketplace

/// One fault of an assembled package.
package struct PackageFault: Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault; the names are the linter's rule names.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case manifest, missing, extra, kind, size, chunk
        case otherCase = "other_case"
    }

    package let kind: Kind
    /// The file's path, safe to print in a terminal.
    package let path: String
    /// The fault, as the end of a sentence that begins with the file's path.
    package let what: String

    /// The whole sentence, without its final period.
    package var description: String { "\(path) \(what)" }
}

/// Compares a package's files with its manifest before any asset is read.
enum PackageLayout {
    /// Returns the faults, in the order of the paths.
    static func faults(of entries: [SourceEntry], against manifest: PackageManifest) -> [PackageFault] {
        var expected: [String: Int64?] = ["manifest.json": nil, "signature": nil]
        for asset in manifest.assets { expected[asset.path] = asset.size }
        var folded: [String: String] = [:]
        for path in expected.keys { folded[path.lowercased()] = path }
        var faults: [PackageFault] = []
        func tell(_ kind: PackageFault.Kind, _ path: String, _ what: String) {
            faults.append(PackageFault(kind: kind, path: printable(path), what: what))
        }
        var seen: Set<String> = []
        for entry in entries.sorted(by: { $0.path < $1.path }) {
            guard seen.insert(entry.path).inserted else {
                tell(.extra, entry.path, "is contained twice")
                continue
            }
            switch entry.kind {
            case .refused(let why): tell(.kind, entry.path, why)
            case .file(let size):
                // This file is read only for its keys and isn't copied.
                if entry.path == "keyblobs.json" { continue }
                guard let expectedSize = expected[entry.path] else {
                    if let other = folded[entry.path.lowercased()] {
                        tell(.otherCase, entry.path, "must be named \(other); upper and lower case differ")
                        seen.insert(other)
                    } else {
                        tell(.extra, entry.path, "is not listed in the manifest, so devices refuse the package")
                    }
                    continue
                }
                if let bytes = expectedSize, bytes != size {
                    tell(.size, entry.path, "has \(size) bytes, but the manifest says \(bytes)")
                } else if size == 0 {
                    tell(.size, entry.path, "is empty")
                }
            }
        }
        for path in expected.keys.sorted() where !seen.contains(path) { tell(.missing, path, "is missing") }
        return faults
    }

    /// Returns an untrusted name in a form that is safe to print in a terminal.
    private static func printable(_ path: String) -> String {
        String(
            path.prefix(200).unicodeScalars.map { scalar in
                scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .format
                    ? "?" : Character(scalar)
            })
    }
}
