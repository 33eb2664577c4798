import Foundation
import TenureCrypto
import Testing

/// A published file of golden answers in `Tests/Vectors`.
struct VectorFile<Vector: Decodable>: Decodable {
    let origin: String
    let vectors: [Vector]

    static func read(_ name: String) throws -> [Vector] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = try Data(contentsOf: folder.appending(path: "Vectors/\(name).json"))
        return try JSONDecoder().decode(VectorFile.self, from: file).vectors
    }
}

/// Bytes that a vector file spells in hexadecimal.
struct HexBytes: Decodable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        var bytes: [UInt8] = []
        var rest = text[...]
        while !rest.isEmpty {
            bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest = rest.dropFirst(2)
        }
        self.bytes = bytes
    }
}
