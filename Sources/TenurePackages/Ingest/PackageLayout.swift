import TenureFormats

/// Compares what is in a package with what its manifest names, before a byte of an asset is read.
enum PackageLayout {
    /// What is wrong, a sentence's end behind each path, in the order of the paths; none where nothing is.
    static func faults(of entries: [SourceEntry], against manifest: PackageManifest) -> [String] {
        var wanted: [String: Int64?] = ["manifest.json": nil, "signature": nil]
        for asset in manifest.assets { wanted[asset.path] = asset.size }
        var folded: [String: String] = [:]
        for path in wanted.keys { folded[path.lowercased()] = path }
        var faults: [String] = []
        var seen: Set<String> = []
        for entry in entries.sorted(by: { $0.path < $1.path }) {
            guard seen.insert(entry.path).inserted else {
                faults.append("\(told(entry.path)) is there twice")
                continue
            }
            switch entry.kind {
            case .refused(let why): faults.append("\(told(entry.path)) \(why)")
            case .file(let size):
                // Read for its keys, and kept nowhere.
                if entry.path == "keyblobs.json" { continue }
                guard let known = wanted[entry.path] else {
                    if let other = folded[entry.path.lowercased()] {
                        faults.append("\(told(entry.path)) must be called \(other): case counts")
                        seen.insert(other)
                    } else {
                        faults.append(
                            "\(told(entry.path)) is not named by the manifest, and devices refuse a package with it")
                    }
                    continue
                }
                if let bytes = known, bytes != size {
                    faults.append("\(entry.path) has \(size) bytes, and the manifest says \(bytes)")
                } else if size == 0 {
                    faults.append("\(entry.path) is empty")
                }
            }
        }
        for path in wanted.keys.sorted() where !seen.contains(path) { faults.append("\(path) is missing") }
        return faults
    }

    /// A name that anybody may have chosen, for a terminal.
    private static func told(_ path: String) -> String {
        String(
            path.prefix(200).unicodeScalars.map { scalar in
                scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.generalCategory == .format
                    ? "?" : Character(scalar)
            })
    }
}
