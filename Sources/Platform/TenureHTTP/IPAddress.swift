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
        let text = String(text)
        guard text.utf8.count <= 45 else { return nil }
        if let number = Self.version4(text[...]) {
            self.init(version4: number)
            return
        }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = Self.groups(halves[0], atEnd: halves.count == 1) else { return nil }
        guard halves.count == 2 else {
            guard head.count == 8 else { return nil }
            self.init(groups: head)
            return
        }
        guard let tail = Self.groups(halves[1], atEnd: true), head.count + tail.count < 8 else { return nil }
        self.init(groups: head + [UInt64](repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static let mapped: UInt64 = 0xFFFF << 32

    private init(groups: [UInt64]) {
        let halves = (groups[..<4], groups[4...])
        self.init(high: halves.0.reduce(0) { $0 << 16 | $1 }, low: halves.1.reduce(0) { $0 << 16 | $1 })
    }

    private static func version4(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let byte = UInt8(part)
            else { return nil }
            number = number << 8 | UInt32(byte)
        }
        return number
    }

    /// Parses the groups of a part without `::`; an IPv4 address may be the last group of the whole address.
    private static func groups(_ text: Substring, atEnd isAtEnd: Bool) -> [UInt64]? {
        if text.isEmpty { return [] }
        var groups: [UInt64] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if isAtEnd, index == parts.count - 1, let number = version4(part) {
                groups += [UInt64(number >> 16), UInt64(number & 0xFFFF)]
                continue
            }
            // `UInt64(_:radix:)` would accept a sign.
            guard (1...4).contains(part.utf8.count), !part.contains("+"), !part.contains("-"),
                let group = UInt64(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups.count <= 8 ? groups : nil
    }
}
