/// Writes JSON directly into bytes, for responses that are too frequent for a general encoder.
///
///     JSONWriter.object {
///         $0.member("valid", true)
///         $0.member("license_expires_at", expiry?.seconds)
///         $0.object("lease") { $0.member("kid", "k1") }
///         $0.array("keys") { $0.object { $0.member("alg", "ed25519") } }
///     }
///
/// Objects take members and arrays take elements, which the compiler enforces. Names aren't checked for duplicates. A
/// `nil` value is written as `null`; to omit a member, don't write it.
public enum JSONWriter {
    /// Writes one object.
    /// - Parameter room: The initial capacity in bytes; a longer object causes a reallocation.
    public static func object(room: Int = 512, _ body: (inout JSONObjectWriter) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(room)
        JSONObjectWriter.write(into: &bytes, body)
        return bytes
    }

    /// Appends one object to existing bytes.
    public static func append(to bytes: inout [UInt8], _ body: (inout JSONObjectWriter) -> Void) {
        JSONObjectWriter.write(into: &bytes, body)
    }

    /// Writes one array.
    public static func array(_ body: (inout JSONArrayWriter) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        JSONArrayWriter.write(into: &bytes, body)
        return bytes
    }
}

/// Adds members to an object; see ``JSONWriter``.
public struct JSONObjectWriter {
    private var bytes: [UInt8]
    private var isEmpty = true

    /// Adds a string, or `null`.
    public mutating func member(_ name: String, _ value: String?) {
        begin(name)
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds an integer, or `null`.
    public mutating func member(_ name: String, _ value: Int64?) {
        begin(name)
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds an integer, or `null`.
    public mutating func member(_ name: String, _ value: Int?) {
        member(name, value.map(Int64.init))
    }

    /// Adds an unsigned integer.
    public mutating func member(_ name: String, unsigned value: UInt64) {
        begin(name)
        bytes.appendJSON(unsigned: value)
    }

    /// Adds an unsigned integer as a string, because many readers of JSON round large numbers.
    public mutating func member(_ name: String, quoted value: UInt64) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.appendJSON(unsigned: value)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a Boolean, or `null`.
    public mutating func member(_ name: String, _ value: Bool?) {
        begin(name)
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds an array of strings.
    public mutating func member(_ name: String, _ values: [String]) {
        array(name) { list in
            for value in values { list.element(value) }
        }
    }

    /// Adds bytes as a string in base64, with the standard alphabet and padding.
    public mutating func member(_ name: String, base64 value: [UInt8]) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        Base64.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds bytes as a string in base64, with the URL-safe alphabet and without padding.
    public mutating func member(_ name: String, base64URL value: [UInt8]) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        Base64.appendURL(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds bytes as a string of lower-case hexadecimal digits.
    public mutating func member(_ name: String, hex value: [UInt8]) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        for byte in value {
            bytes.append(Hex.digit(byte >> 4))
            bytes.append(Hex.digit(byte & 15))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a compact JWS as a string; none of its characters needs an escape.
    public mutating func member(_ name: String, jws: [UInt8]) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: jws)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a value that is already JSON, without checking it.
    public mutating func member(_ name: String, json: [UInt8]) {
        begin(name)
        bytes.append(contentsOf: json)
    }

    /// Adds `null`.
    public mutating func null(_ name: String) {
        begin(name)
        bytes.appendNull()
    }

    /// Adds an object.
    public mutating func object(_ name: String, _ body: (inout JSONObjectWriter) -> Void) {
        begin(name)
        JSONObjectWriter.write(into: &bytes, body)
    }

    /// Adds an array.
    public mutating func array(_ name: String, _ body: (inout JSONArrayWriter) -> Void) {
        begin(name)
        JSONArrayWriter.write(into: &bytes, body)
    }

    /// Swaps the bytes into a writer and back, so that they are never copied.
    static func write(into bytes: inout [UInt8], _ body: (inout JSONObjectWriter) -> Void) {
        var writer = JSONObjectWriter(bytes: [])
        swap(&writer.bytes, &bytes)
        writer.bytes.append(UInt8(ascii: "{"))
        body(&writer)
        writer.bytes.append(UInt8(ascii: "}"))
        swap(&writer.bytes, &bytes)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func begin(_ name: String) {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
        bytes.appendJSON(name)
        bytes.append(UInt8(ascii: ":"))
    }
}

/// Adds elements to an array; see ``JSONWriter``.
public struct JSONArrayWriter {
    private var bytes: [UInt8]
    private var isEmpty = true

    /// Adds a string, or `null`.
    public mutating func element(_ value: String?) {
        begin()
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds an integer, or `null`.
    public mutating func element(_ value: Int64?) {
        begin()
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds a Boolean, or `null`.
    public mutating func element(_ value: Bool?) {
        begin()
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds an object.
    public mutating func object(_ body: (inout JSONObjectWriter) -> Void) {
        begin()
        JSONObjectWriter.write(into: &bytes, body)
    }

    /// Adds an array.
    public mutating func array(_ body: (inout JSONArrayWriter) -> Void) {
        begin()
        JSONArrayWriter.write(into: &bytes, body)
    }

    /// Swaps the bytes into a writer and back, so that they are never copied.
    static func write(into bytes: inout [UInt8], _ body: (inout JSONArrayWriter) -> Void) {
        var writer = JSONArrayWriter(bytes: [])
        swap(&writer.bytes, &bytes)
        writer.bytes.append(UInt8(ascii: "["))
        body(&writer)
        writer.bytes.append(UInt8(ascii: "]"))
        swap(&writer.bytes, &bytes)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func begin() {
        if !isEmpty { bytes.append(UInt8(ascii: ",")) }
        isEmpty = false
    }
}
