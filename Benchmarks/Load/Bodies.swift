import Foundation
import Glibc

/// A sequence of requests.
protocol Asking: Sendable {
    /// Returns the sequence for one of several connections.
    func starting(at turn: Int, of connections: Int) -> Self

    /// Returns the next complete request.
    mutating func next(path: String) -> [UInt8]
}

/// Request bodies with license keys and instance ids that are drawn at random from a file, or with keys and new
/// devices.
struct Bodies: Asking {
    private let records: [UInt8]
    private let width: Int
    private let keyWidth: Int
    private let isActivation: Bool
    private var state: UInt64

    /// - Parameter isActivation: Whether each request activates a license for a new device.
    init?(path: String, isActivation: Bool) {
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
        self.isActivation = isActivation
        // Devices must be new in each run.
        state = isActivation ? Moment.now() : 0x7E_4E_72_65
    }

    /// Returns a sequence over the same file in another order.
    func starting(at turn: Int, of connections: Int) -> Bodies {
        var other = self
        other.state &+= UInt64(turn) &* 0xD1B5_4A32_D192_ED03
        return other
    }

    mutating func next(path: String) -> [UInt8] {
        let start = Int(draw() % UInt64(records.count / width)) * width
        let key = String(decoding: records[start..<start + keyWidth], as: UTF8.self)
        let body =
            if isActivation {
                #"{"license_key":"\#(key)","instance_name":"Bench device","machine_hash":"\#(newDevice())"}"#
            } else {
                #"{"license_key":"\#(key)","instance_id":"\#(instance(at: start))"}"#
            }
        return post(Array(body.utf8), to: path, as: "application/json")
    }

    /// The instance id of the record at this offset, which is a UUID of 36 characters.
    private func instance(at start: Int) -> String {
        String(decoding: records[(start + keyWidth + 1)...].prefix(36), as: UTF8.self)
    }

    private mutating func newDevice() -> String {
        (0..<4).map { _ in
            let word = String(draw(), radix: 16)
            return String(repeating: "0", count: 16 - word.count) + word
        }.joined()
    }

    /// Draws the next number with SplitMix64, so that every run sends the same requests in the same order.
    private mutating func draw() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The lines of a file, each of which is sent once as a form. Connections take turns.
struct Forms: Asking {
    private let lines: [[UInt8]]
    private var index = 0
    private var step = 1

    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        lines = data.split(separator: 0x0A).map { [UInt8]($0) }
        if lines.isEmpty { return nil }
    }

    func starting(at turn: Int, of connections: Int) -> Forms {
        var other = self
        (other.index, other.step) = (turn, connections)
        return other
    }

    mutating func next(path: String) -> [UInt8] {
        defer { index += step }
        return post(lines[index % lines.count], to: path, as: "application/x-www-form-urlencoded")
    }
}

private func post(_ body: [UInt8], to path: String, as type: String) -> [UInt8] {
    let head =
        "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: \(type)\r\n"
        + "Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body
}
