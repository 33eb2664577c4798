import Foundation
import GoldenFiles
import TenureCrypto
import Testing

/// A published file of test vectors in `Tests/Vectors`.
struct VectorFile<Vector: Decodable>: Decodable {
    let origin: String
    let vectors: [Vector]

    static func read(_ name: String) throws -> [Vector] {
        try Vectors.read(name, as: VectorFile.self).vectors
    }
}

/// Reads test vectors from `Tests/Vectors`.
enum Vectors {
    static func read<File: Decodable>(_ name: String, as type: File.Type) throws -> File {
        return try JSONDecoder().decode(
            type, from: Data(contentsOf: URL.packageRoot.appending(path: "Tests/Vectors/\(name).json")))
    }
}

/// Bytes that a vector file writes in hexadecimal.
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
