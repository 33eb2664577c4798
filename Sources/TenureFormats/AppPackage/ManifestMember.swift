/// A member of a package manifest and its place in it, for messages.
struct ManifestMember {
    let name: String
    let place: String

    init(_ name: String, of parent: String = "") {
        self.name = name
        place = parent.isEmpty ? name : "\(parent)/\(name)"
    }

    func fault(_ message: String) -> FormatError { FormatError(.badMember, "the member \"\(place)\" \(message)") }

    /// A text of 1 to 256 bytes without control characters.
    func text(of node: FlatObject) throws(FormatError) -> String {
        let text = try node.require(place, node.string(name))
        let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard (1...256).contains(text.utf8.count), printable else {
            throw fault("must have 1 to 256 bytes and no control characters")
        }
        return text
    }

    /// An id, as Apple writes it in a text, or as a number.
    func id<ID>(of node: FlatObject, _ read: (String) -> ID?) throws(FormatError) -> ID {
        let text: String =
            if case .value(let number) = node.integer(name) { String(number) } else { try text(of: node) }
        guard let id = read(text) else { throw fault("is no id") }
        return id
    }

    /// A count of bytes; assets are larger than 2 GiB at times.
    func size(of node: FlatObject) throws(FormatError) -> Int64 {
        let size = try node.require(place, node.integer(name))
        guard (0...1 << 50).contains(size) else { throw fault("is no size in bytes") }
        return size
    }

    func object(of node: FlatObject) throws(FormatError) -> FlatObject {
        try node.require(place, node.object(name))
    }

    /// A path that stays below the package: segments of letters, digits, `-`, `_` and `.`, none of them beginning with `.`.
    func path(of node: FlatObject) throws(FormatError) -> String {
        let path = try text(of: node)
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isSafe =
            (1...8).contains(segments.count)
            && segments.allSatisfy { segment in
                segment.first.map { $0 != UInt8(ascii: ".") } ?? false && segment.allSatisfy(Self.mayContain)
            }
        guard isSafe else { throw fault("must be a path below the package, such as variant/NAME.ipa") }
        return path
    }

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }
}
