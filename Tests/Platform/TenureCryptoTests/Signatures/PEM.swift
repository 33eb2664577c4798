import Foundation

/// Textual encodings (RFC 7468), written independently of the code under test.
enum PEM {
    static func text(_ der: [UInt8], label: String) -> [UInt8] {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n".utf8)
    }
}
