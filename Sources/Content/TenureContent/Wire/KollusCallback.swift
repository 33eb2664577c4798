import TenureCore
import TenureCrypto
public import TenureFormats

/// The items of a Kollus callback: the form field `items`.
public struct KollusCallback: Sendable, Hashable {
    /// How many items a callback may have.
    public static let counts = 1...10

    /// An item, or the readable part of an invalid item.
    public enum Entry: Sendable, Hashable {
        /// An item whose members are all valid.
        case item(KollusItem)
        /// An item with a member that is missing or out of range; it is answered without affecting other items.
        case unread(Unread)
    }

    /// The readable part of an invalid item, which is enough to answer it.
    public struct Unread: Sendable, Hashable {
        /// The `kind` that was sent; 0 if it wasn't a number.
        public let kind: Int64
        /// The media content key that was sent; empty if it wasn't a string.
        public let key: String
        /// The name of the invalid member.
        public let member: String

        /// The result to respond with.
        ///
        /// It is true for a completion or a check, because a failure would take away paid content.
        public var result: Bool { kind == 2 || kind == 3 }
    }

    /// The entries, in the order of the items.
    public let entries: [Entry]

    /// Parses a JSON array of 1 to 10 items; numbers may be written as strings, as the player does.
    ///
    /// - Throws: `.malformed` if it isn't such an array. Errors within one item are reported in its entry.
    public init(items bytes: [UInt8]) throws(FormatError) {
        let objects: [FlatObject?]
        do {
            objects = try FlatObject.each(inArray: bytes)
        } catch {
            throw FormatError(.malformed, "the items of a callback must be a JSON array", cause: error)
        }
        guard Self.counts.contains(objects.count) else {
            throw FormatError(.malformed, "a callback must have 1 to 10 items, not \(objects.count)")
        }
        entries = objects.map(Self.entry)
    }

    /// The valid items, without the invalid entries.
    public var items: [KollusItem] {
        entries.compactMap { if case .item(let item) = $0 { item } else { nil } }
    }

    private static func entry(_ object: FlatObject?) -> Entry {
        guard let object else { return .unread(Unread(kind: 0, key: "", member: "")) }
        do throws(BadMember) {
            return .item(try KollusItem(object))
        } catch {
            let kind = (try? object.kollusNumber("kind", in: .min ... .max)) ?? nil
            return .unread(
                Unread(kind: kind ?? 0, key: object.string("media_content_key").value ?? "", member: error.name))
        }
    }
}

/// The error of an item, with the name of its invalid member.
private struct BadMember: Error {
    let name: String
}

extension KollusItem {
    fileprivate init(_ object: FlatObject) throws(BadMember) {
        guard let number = try object.kollusNumber("kind", in: 1...3), let kind = Kind(rawValue: Int(number)) else {
            throw BadMember(name: "kind")
        }
        self.init(
            kind: kind, key: try object.kollusText("media_content_key", 1...256) ?? "",
            user: try object.kollusText("client_user_id", 1...256) ?? "",
            player: try object.kollusText("player_id", 1...256) ?? "",
            sessionKey: try object.kollusText("session_key", 0...256, isOptional: true),
            startAt: try object.kollusNumber("start_at", in: 0...Int64(UInt32.max)),
            isForceExpired: try object.kollusFlag("content_expired"),
            isCheckOverdue: try object.kollusFlag("check_expired"), isReset: try object.kollusFlag("reset_req"),
            // A long name must not keep the item from playing.
            deviceName: try object.kollusText("device_name", 0...Int.max, isOptional: true)?.cut(toBytes: 256),
            localTime: try object.kollusClock("localtime"))
    }
}

extension FlatObject {
    /// Reads an integer, written as a number or as a string of digits; `nil` if it is absent, `null` or an empty
    /// string.
    fileprivate func kollusNumber(_ name: String, in range: ClosedRange<Int64>) throws(BadMember) -> Int64? {
        switch kind(name) {
        case nil, .null: return nil
        case .string where string(name).value?.isEmpty == true: return nil
        default: break
        }
        let text = string(name).value
        let isDigits = text.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? true
        guard isDigits, let number = integer(name).value ?? text.flatMap({ Int64($0) }), range.contains(number) else {
            throw BadMember(name: name)
        }
        return number
    }

    /// Reads the player's clock: any integer, as a number or as a string of digits; `nil` if it's missing or empty.
    ///
    /// A time outside the years 0 to 9999 is clamped, so that it can be written as a date.
    fileprivate func kollusClock(_ name: String) throws(BadMember) -> Timestamp? {
        switch kind(name) {
        case nil, .null: return nil
        case .string where string(name).value?.isEmpty == true: return nil
        default: break
        }
        guard let text = string(name).value ?? numberText(name).value else { throw BadMember(name: name) }
        let isNegative = text.hasPrefix("-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { throw BadMember(name: name) }
        let seconds = Int64(text) ?? (isNegative ? .min : .max)
        return Timestamp(seconds: min(max(seconds, Self.firstSecond), Self.lastSecond))
    }

    /// The first and last second that can be written: 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private static let (firstSecond, lastSecond): (Int64, Int64) = (-62_167_219_200, 253_402_300_799)

    fileprivate func kollusFlag(_ name: String) throws(BadMember) -> Bool { try kollusNumber(name, in: 0...1) == 1 }

    fileprivate func kollusText(
        _ name: String, _ lengths: ClosedRange<Int>, isOptional: Bool = false
    ) throws(BadMember) -> String? {
        switch kind(name) {
        case nil, .null:
            if isOptional { return nil }
        default:
            // A key that consists of digits may be sent as a number.
            let text = string(name).value ?? integer(name).value.map { String($0) }
            if let text, lengths.contains(text.utf8.count) { return text }
        }
        throw BadMember(name: name)
    }
}
