/// Adds elements to an array that is being written; see ``JSONWriter``.
public struct JSONArrayWriter {
    private var bytes: [UInt8]
    private var isEmpty = true

    /// Adds a text, or `null`.
    public mutating func element(_ value: String?) {
        begin()
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds a whole number, or `null`.
    public mutating func element(_ value: Int64?) {
        begin()
        if let value { bytes.appendJSON(value) } else { bytes.appendNull() }
    }

    /// Adds a truth value, or `null`.
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

    /// Moves the bytes into a writer and back, so that they are never copied.
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
