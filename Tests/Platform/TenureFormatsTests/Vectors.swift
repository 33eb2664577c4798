import Foundation
import GoldenFiles

/// Reads test vectors from `Tests/Vectors`.
enum Vectors {
    static func read<File: Decodable>(_ name: String, as type: File.Type) throws -> File {
        try JSONDecoder().decode(type, from: Data(bytes(name)))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        return try Array(Data(contentsOf: URL.packageRoot.appending(path: "Tests/Vectors/\(name).json")))
    }
}
