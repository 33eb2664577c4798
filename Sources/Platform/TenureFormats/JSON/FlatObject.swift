/// A JSON object that has been validated completely and whose members are indexed but not yet decoded.
///
/// Values are decoded on access. For a request of 300 bytes, this takes a fraction of the time of a general decoder.
public struct FlatObject: Sendable {
    private let bytes: [UInt8]
    private let entries: [JSONScanner.Entry]

    /// Validates a JSON text and indexes its members.
    ///
    /// Throws: any code of ``JSONError``.
    public init(scanning bytes: [UInt8]) throws(JSONError) {
        try self.init(scanning: bytes, range: 0..<bytes.count)
    }

    /// The number of members.
    public var count: Int { entries.count }

    /// The names of the members, in document order.
    public var names: [String] {
        entries.map { text(of: $0.name, escaped: $0.nameIsEscaped) }
    }

    /// The type of the member; `nil` if no member has this name.
    public func kind(_ name: String) -> JSONKind? {
        entry(name)?.kind
    }

    /// Reads a string and resolves its escapes.
    public func string(_ name: String) -> FlatObject.Member<String> {
        read(name, .string, string(in:))
    }

    /// Reads an integer that fits 64 bits; a number with a fraction or an exponent has the wrong type.
    public func integer(_ name: String) -> FlatObject.Member<Int64> {
        read(name, .number) { Int64(String(decoding: bytes[$0.start..<$0.end], as: UTF8.self)) }
    }

    /// Reads a number whose value is an integer that fits 64 bits, however it is written: `7`, `7.0` or `0.7e1`.
    public func wholeNumber(_ name: String) -> FlatObject.Member<Int64> {
        read(name, .number) { entry in
            let text = String(decoding: bytes[entry.start..<entry.end], as: UTF8.self)
            return Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
        }
    }

    /// Reads a number of any size as its text in the document.
    public func numberText(_ name: String) -> FlatObject.Member<String> {
        read(name, .number) { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
    }

    /// Reads an unsigned 64-bit integer, written as a number or as a string of digits without leading zeros.
    public func identifier(_ name: String) -> FlatObject.Member<UInt64> {
        guard let entry = entry(name) else { return .absent }
        if entry.kind == .null { return .null }
        return identifier(in: entry).map { .value($0) } ?? .wrongType(entry.kind)
    }

    /// Reads an array of unsigned 64-bit integers, each written as a number or as a string of digits.
    public func identifiers(_ name: String) -> FlatObject.Member<[UInt64]> {
        array(name) { identifier(in: $0) }
    }

    /// Reads `true` or `false`.
    public func boolean(_ name: String) -> FlatObject.Member<Bool> {
        read(name, .boolean) { bytes[$0.start] == UInt8(ascii: "t") }
    }

    /// Reads an object.
    public func object(_ name: String) -> FlatObject.Member<FlatObject> {
        read(name, .object, object(in:))
    }

    /// Reads an array that contains only strings.
    public func strings(_ name: String) -> FlatObject.Member<[String]> {
        array(name) { $0.kind == .string ? string(in: $0) : nil }
    }

    /// Reads an array that contains only objects.
    public func objects(_ name: String) -> FlatObject.Member<[FlatObject]> {
        array(name) { $0.kind == .object ? object(in: $0) : nil }
    }

    /// Reads an array; elements that aren't objects become `nil`.
    public func elements(_ name: String) -> FlatObject.Member<[FlatObject?]> {
        array(name) { .some($0.kind == .object ? object(in: $0) : nil) }
    }

    /// Parses a JSON text that is an array of objects; elements that aren't objects become `nil`.
    ///
    /// Throws: any code of ``JSONError``; `.notAnObject` if the text isn't an array.
    public static func each(inArray bytes: [UInt8]) throws(JSONError) -> [FlatObject?] {
        var scanner = JSONScanner(bytes, range: 0..<bytes.count)
        guard try scanner.scanText() == .array else {
            throw JSONError(.notAnObject, at: 0, "expected an array of objects in square brackets")
        }
        return scanner.entries.map { entry in
            entry.kind == .object ? try? FlatObject(scanning: bytes, range: entry.start..<entry.end) : nil
        }
    }

    private init(scanning bytes: [UInt8], range: Range<Int>) throws(JSONError) {
        var scanner = JSONScanner(bytes, range: range)
        guard try scanner.scanText() == .object else {
            throw JSONError(.notAnObject, at: range.lowerBound, "expected an object in curly brackets")
        }
        self.bytes = bytes
        entries = scanner.entries
    }

    private func entry(_ name: String) -> JSONScanner.Entry? {
        Self.entry(named: name, of: entries, in: bytes)
    }

    static func entry(
        named name: String, of entries: [JSONScanner.Entry], in bytes: [UInt8]
    ) -> JSONScanner.Entry? {
        // Spans, because generic comparisons of collections take far longer for names this short.
        let (expected, text) = (name.utf8.span, bytes.span)
        return entries.first { entry in
            if entry.nameIsEscaped { return JSONText.unescaped(bytes[entry.name]).elementsEqual(name.utf8) }
            guard entry.name.count == expected.count else { return false }
            return expected.indices.allSatisfy { expected[$0] == text[entry.name.lowerBound + $0] }
        }
    }

    private func read<Value>(
        _ name: String, _ kind: JSONKind, _ body: (JSONScanner.Entry) -> Value?
    ) -> FlatObject.Member<Value> {
        guard let entry = entry(name) else { return .absent }
        if entry.kind == .null { return .null }
        guard entry.kind == kind, let value = body(entry) else { return .wrongType(entry.kind) }
        return .value(value)
    }

    private func array<Element>(
        _ name: String, _ body: (JSONScanner.Entry) -> Element?
    ) -> FlatObject.Member<[Element]> {
        guard let entry = entry(name) else { return .absent }
        if entry.kind == .null { return .null }
        guard entry.kind == .array, let elements = elements(in: entry, body) else { return .wrongType(entry.kind) }
        return .value(elements)
    }

    private func elements<Element>(in entry: JSONScanner.Entry, _ body: (JSONScanner.Entry) -> Element?) -> [Element]? {
        var scanner = JSONScanner(bytes, range: entry.start..<entry.end)
        guard (try? scanner.scanText()) != nil else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(scanner.entries.count)
        for inner in scanner.entries {
            guard let element = body(inner) else { return nil }
            elements.append(element)
        }
        return elements
    }

    private func object(in entry: JSONScanner.Entry) -> FlatObject? {
        try? FlatObject(scanning: bytes, range: entry.start..<entry.end)
    }

    private func identifier(in entry: JSONScanner.Entry) -> UInt64? {
        let quotes =
            switch entry.kind {
            case .string: 1
            case .number: 0
            default: -1
            }
        guard quotes >= 0 else { return nil }
        let digits = bytes[entry.start + quotes..<entry.end - quotes]
        guard !digits.isEmpty, digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            let tens = number.multipliedReportingOverflow(by: 10)
            let sum = tens.partialValue.addingReportingOverflow(UInt64(digit &- 0x30))
            guard digit &- 0x30 < 10, !tens.overflow, !sum.overflow else { return nil }
            number = sum.partialValue
        }
        return number
    }

    private func string(in entry: JSONScanner.Entry) -> String {
        let inside = entry.start + 1..<entry.end - 1
        return text(of: inside, escaped: bytes[inside].contains(UInt8(ascii: "\\")))
    }

    private func text(of inside: Range<Int>, escaped: Bool) -> String {
        let read = escaped ? JSONText.unescaped(bytes[inside])[...] : bytes[inside]
        return String(decoding: read, as: UTF8.self)
    }
}

extension FlatObject {
    /// The result of reading a member.
    public enum Member<Value> {
        /// There is no member with this name.
        case absent
        /// The value is `null`.
        case null
        /// The value has another type, which is the associated value.
        case wrongType(JSONKind)
        /// The value, with the requested type.
        case value(Value)

        /// The value; `nil` if there isn't one of the requested type.
        public var value: Value? {
            if case .value(let value) = self { value } else { nil }
        }
    }
}

extension FlatObject.Member: Sendable where Value: Sendable {}
extension FlatObject.Member: Equatable where Value: Equatable {}
