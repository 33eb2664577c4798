import TenureCore
import TenureFormats

extension PackageManifest {
    /// A rule of the package manifest that a member can break although its type is correct.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
        case text, id, uuid, size, path, system, platform, count
        case targetTaken = "target_twice"
        case assetTaken = "asset_twice"
        case deltaLoop = "delta_loop"
        case deltaTarget = "delta_target"
        case digests
    }
}

/// A member of a package manifest, with the JSON pointer that error messages name.
struct ManifestMember {
    let name: String
    let pointer: String

    init(_ name: String, of parent: String = "") {
        self.name = name
        pointer = "\(parent)/\(name)"
    }

    /// Creates a reference to a member of a list's element.
    init(_ name: String, of parent: String, _ index: Int) {
        self.name = name
        pointer = "\(parent)/\(name)/\(index)"
    }

    func fault(_ rule: PackageManifest.Rule, _ message: String) -> FormatError {
        FormatError(.badMember, "the field \"\(pointer)\" \(message)", rule: rule.rawValue)
    }

    /// Reads a string of 1 to 256 bytes without control characters.
    func text(of node: FlatObject) throws(FormatError) -> String {
        let text = try node.require(pointer, node.string(name))
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard (1...256).contains(text.utf8.count), printable else {
            throw fault(.text, "must be 1 to 256 bytes long, without control characters")
        }
        return text
    }

    /// Reads an id, written as a string (as Apple does) or as a number.
    func id<ID>(of node: FlatObject, _ read: (String) -> ID?) throws(FormatError) -> ID {
        let text: String =
            if case .value(let number) = node.integer(name) { String(number) } else { try text(of: node) }
        guard let id = read(text) else { throw fault(.id, "must be an id in digits") }
        return id
    }

    /// Reads a size in bytes, at least 1; assets can be larger than 2 GiB.
    func size(of node: FlatObject) throws(FormatError) -> Int64 {
        let size = try node.require(pointer, node.integer(name))
        guard (1...1 << 50).contains(size) else { throw fault(.size, "must be a size in bytes, from 1 to 2^50") }
        return size
    }

    func object(of node: FlatObject) throws(FormatError) -> FlatObject {
        try node.require(pointer, node.object(name))
    }

    /// Reads an asset's path, which must be `FOLDER/ID.ipa`.
    func path(of node: FlatObject, in folder: String, named id: AssetID) throws(FormatError) -> String {
        let path = "\(folder)/\(id).ipa"
        guard try text(of: node) == path else { throw fault(.path, "must be \"\(path)\"") }
        return path
    }

    /// Reads an operating system version, such as `17.4`.
    func system(of node: FlatObject) throws(FormatError) -> String {
        let text = try text(of: node)
        guard SystemVersion(text) != nil else { throw fault(.system, "must be a system version such as 17.4") }
        return text
    }
}
