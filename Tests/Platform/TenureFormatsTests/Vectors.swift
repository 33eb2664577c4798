import Foundation

/// The golden answers in `Tests/Vectors`.
enum Vectors {
    static func read<File: Decodable>(_ name: String, as type: File.Type) throws -> File {
        try JSONDecoder().decode(type, from: Data(bytes(name)))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Array(Data(contentsOf: folder.appending(path: "Vectors/\(name).json")))
    }
}
