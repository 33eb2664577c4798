/// An IPv4 or IPv6 address; an IPv4 address equals its IPv4-mapped IPv6 form.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The sixteen bytes in two halves, most significant first; an IPv4 address is mapped to `::ffff:0:0/96`.
    public let high: UInt64, low: UInt64

    /// Creates an IPv6 address; an IPv4-mapped address equals the IPv4 address.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an IPv4 address from its 32-bit number.
    public init(version4 number: UInt32) {
        self.init(high: 0, low: Self.mapped | UInt64(number))
    }

    /// Whether it is an IPv4 address, which includes IPv4-mapped IPv6 addresses.
    public var isVersion4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// Whether it is a loopback address: `127.0.0.0/8` or `::1`.
    public var isLoopback: Bool {
        isVersion4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1
    }

    /// The network that usually belongs to one party: the /64 of an IPv6 address, or the IPv4 address itself.
    public var network: IPAddress {
        isVersion4 ? self : IPAddress(high: high, low: 0)
    }

    /// The usual text form; an IPv6 address has all eight groups.
    public var description: String {
        if isVersion4 { return (0..<4).map { String(low >> UInt64(24 - 8 * $0) & 0xFF) }.joined(separator: ".") }
        return [high, low].flatMap { half in
            (0..<4).map { String(half >> UInt64(48 - 16 * $0) & 0xFFFF, radix: 16) }
        }.joined(separator: ":")
    }

    /// Parses an address without port, zone or brackets; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 45 else { return nil }
        if let number = Self.version4(bytes[...]) {
            self.init(version4: number)
            return
        }
        let gap = bytes.indices.dropLast().first { bytes[$0] == Self.colon && bytes[$0 + 1] == Self.colon }
        guard let gap else {
            guard let groups = Self.groups(bytes[...], atEnd: true), groups.count == 8 else { return nil }
            self.init(groups: groups)
            return
        }
        guard let head = Self.groups(bytes[..<gap], atEnd: false),
            let tail = Self.groups(bytes[(gap + 2)...], atEnd: true), head.count + tail.count < 8
        else { return nil }
        self.init(groups: head + [UInt64](repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    /// Parses an address that may have a port, as some proxies add it; an IPv6 address may have brackets. Returns `nil`
    /// for any other text.
    package init?(withPort text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var (address, port) = (bytes[...], bytes[bytes.endIndex...])
        if bytes.first == UInt8(ascii: "["), let end = bytes.firstIndex(of: UInt8(ascii: "]")) {
            (address, port) = (bytes[1..<end], bytes[(end + 1)...])
            guard address.contains(Self.colon) else { return nil }
        } else if let colon = bytes.firstIndex(of: Self.colon), bytes.lastIndex(of: Self.colon) == colon {
            (address, port) = (bytes[..<colon], bytes[colon...])
        }
        let isPort = port.isEmpty || (2...6).contains(port.count) && port.first == Self.colon
        guard isPort, port.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(String(decoding: address, as: UTF8.self))
    }

    private static let colon = UInt8(ascii: ":")
    private static let mapped: UInt64 = 0xFFFF << 32

    private init(groups: [UInt64]) {
        let halves = (groups[..<4], groups[4...])
        self.init(high: halves.0.reduce(0) { $0 << 16 | $1 }, low: halves.1.reduce(0) { $0 << 16 | $1 })
    }

    private static func version4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                let byte = UInt8(String(decoding: part, as: UTF8.self))
            else { return nil }
            number = number << 8 | UInt32(byte)
        }
        return number
    }

    /// Parses the groups of a part without `::`; an IPv4 address may be the last group of the whole address.
    private static func groups(_ text: ArraySlice<UInt8>, atEnd isAtEnd: Bool) -> [UInt64]? {
        if text.isEmpty { return [] }
        var groups: [UInt64] = []
        let parts = text.split(separator: colon, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if isAtEnd, index == parts.count - 1, let number = version4(part) {
                groups += [UInt64(number >> 16), UInt64(number & 0xFFFF)]
                continue
            }
            // `UInt64(_:radix:)` would accept a sign.
            guard (1...4).contains(part.count), part.first != UInt8(ascii: "+"), part.first != UInt8(ascii: "-"),
                let group = UInt64(String(decoding: part, as: UTF8.self), radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups.count <= 8 ? groups : nil
    }
}
