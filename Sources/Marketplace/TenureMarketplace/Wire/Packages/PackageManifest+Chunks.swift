import TenureCore
import TenureFormats

extension PackageManifest {
    /// Reads the digests of an asset's chunks, from the first entry that has any; `nil` if the manifest lists none.
    static func chunks(_ details: FlatObject, at here: String, of size: Int64) throws(FormatError) -> Chunks? {
        let member = ManifestMember("hashes", of: here)
        var found: Chunks?
        for (index, node) in (try details.optional(member.pointer, details.objects(member.name)) ?? []).enumerated() {
            let chunks = try entry(node, at: "\(member.pointer)/\(index)", of: size)
            found = found ?? chunks
        }
        return found
    }

    private static func entry(_ node: FlatObject, at here: String, of size: Int64) throws(FormatError) -> Chunks? {
        let algorithm = ManifestMember("algorithm", of: here)
        guard try algorithm.text(of: node) == "sha256" else { throw algorithm.fault(.digests, "must be \"sha256\"") }
        let length = try ManifestMember("chunkSize", of: here).size(of: node)
        let member = ManifestMember("encryptedChunkDigests", of: here)
        let texts = try node.require(member.pointer, node.strings(member.name))
        if texts.isEmpty { return nil }
        let count = (size - 1) / length + 1
        guard texts.count == count else {
            throw member.fault(.digests, "must list \(count) digests or none, not \(texts.count)")
        }
        var digests: [Digest] = []
        for (index, text) in texts.enumerated() {
            guard let digest = digest(text) else {
                throw ManifestMember(member.name, of: here, index).fault(.digests, "must be 64 hexadecimal digits")
            }
            digests.append(digest)
        }
        return Chunks(size: length, digests: digests)
    }

    private static func digest(_ text: String) -> Digest? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            if let first = high { bytes.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        return high == nil ? Digest(bytes) : nil
    }
}

extension AssetID {
    /// Whether the id is 32 hexadecimal digits grouped like a UUID, of any version.
    var isUUID: Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
                default: false
                }
            }
    }
}
