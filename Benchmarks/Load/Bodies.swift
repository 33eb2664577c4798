import Foundation
import Glibc

/// A sequence of requests.
protocol Asking: Sendable {
    /// Returns the sequence for one of several connections.
    func starting(at turn: Int, of connections: Int) -> Self

    /// Returns the next complete request.
    mutating func next(path: String) -> [UInt8]
}

/// Request bodies with keys and instances that are drawn at random from a file.
struct Bodies: Asking {
    private let records: [UInt8]
    private let width: Int
    private let keyWidth: Int
    private var state: UInt64 = 0x7E_4E_72_65

    init?(path: String) {
        let file = unsafe open(path, O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard unsafe fstat(file, &facts) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        guard unsafe bytes.withUnsafeMutableBytes({ unsafe Glibc.read(file, $0.baseAddress, $0.count) }) == bytes.count,
            let end = bytes.firstIndex(of: 0x0A), let space = bytes.firstIndex(of: 0x20)
        else { return nil }
        records = bytes
        width = end + 1
        keyWidth = space
    }

    /// Returns a sequence over the same file in another order.
    func starting(at turn: Int, of connections: Int) -> Bodies {
        var other = self
        other.state &+= UInt64(turn) &* 0xD1B5_4A32_D192_ED03
        return other
    }

    mutating func next(path: String) -> [UInt8] {
        // SplitMix64: every run sends the same requests in the same order.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        let start = Int((mixed ^ (mixed >> 31)) % UInt64(records.count / width)) * width
        let key = records[start..<start + keyWidth]
        let instance = records[start + keyWidth + 1..<start + width - 1]
        let body =
            Array("{\"license_key\":\"".utf8) + key + Array("\",\"instance_id\":\"".utf8) + instance
            + Array("\"}".utf8)
        return post(body, to: path, as: "application/json")
    }
}

/// The lines of a file, each of which is sent once as a form. Connections take turns.
struct Forms: Asking {
    private let lines: [[UInt8]]
    private var place = 0
    private var step = 1

    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        lines = data.split(separator: 0x0A).map { [UInt8]($0) }
        if lines.isEmpty { return nil }
    }

    func starting(at turn: Int, of connections: Int) -> Forms {
        var other = self
        (other.place, other.step) = (turn, connections)
        return other
    }

    mutating func next(path: String) -> [UInt8] {
        defer { place += step }
        return post(lines[place % lines.count], to: path, as: "application/x-www-form-urlencoded")
    }
}

private func post(_ body: [UInt8], to path: String, as type: String) -> [UInt8] {
    let head =
        "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\n"
        + "Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body
}
