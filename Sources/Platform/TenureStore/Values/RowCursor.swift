/// Reads the columns of a row one after the other, directly from the engine's memory.
///
/// A cursor is valid only while its statement is on that row.
public struct RowCursor {
    /// An engine's accessors for a column: three C functions that take the library's own pointer, and a Swift function
    /// if the engine encodes its texts.
    public struct Source: Sendable {
        let isNull: @convention(c) (_ position: OpaquePointer, _ row: Int32, _ column: Int32) -> Bool
        let integer: @convention(c) (_ position: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64
        let bytes:
            @convention(c) (
                _ position: OpaquePointer, _ row: Int32, _ column: Int32, _ count: UnsafeMutablePointer<Int>
            ) -> UnsafeRawPointer?
        let text: (@Sendable (String) -> String)?

        /// Creates a source from the engine's accessors.
        /// - Parameters:
        ///   - isNull: Whether the column is null.
        ///   - integer: The column's integer; 0 or 1 for a flag.
        ///   - bytes: The address and number of the column's bytes; UTF-8 for text.
        ///   - text: Reverses the encoding that the engine applies to stored text, if any.
        package init(
            isNull: @convention(c) (OpaquePointer, Int32, Int32) -> Bool,
            integer: @convention(c) (OpaquePointer, Int32, Int32) -> Int64,
            bytes:
                @convention(c) (
                    OpaquePointer, Int32, Int32, UnsafeMutablePointer<Int>
                ) -> UnsafeRawPointer?,
            text: (@Sendable (String) -> String)? = nil
        ) {
            self.isNull = isNull
            self.integer = integer
            self.bytes = bytes
            self.text = text
        }
    }

    private let source: Source
    private let position: OpaquePointer
    private let row: Int32
    /// The index of the column that is read next.
    package var column: Int32

    package init(_ source: Source, at position: OpaquePointer, row: Int32 = 0, column: Int32 = 0) {
        self.source = source
        self.position = position
        self.row = row
        self.column = column
    }

    /// Reads the next column.
    ///
    /// Throws `.corrupt` if no version of this program could have written the value.
    @inlinable public mutating func next<Value: Storable>(_ type: Value.Type = Value.self) throws(StoreError) -> Value {
        try Value(from: &self)
    }

    /// Whether the next column is null; the cursor doesn't move.
    @usableFromInline package var isNull: Bool { source.isNull(position, row, column) }

    @usableFromInline package mutating func skip() { column += 1 }

    @usableFromInline mutating func integer() -> Int64 {
        defer { column += 1 }
        return source.integer(position, row, column)
    }

    /// SQLite doesn't check that text is UTF-8, so a damaged text would otherwise be changed silently.
    @usableFromInline mutating func text() throws(StoreError) -> String {
        guard let text = withBytes(Self.text) else {
            throw .unreadable("text that isn't UTF-8")
        }
        return source.text.map { restore in restore(text) } ?? text
    }

    /// The same as `String(validating:as:)`, which takes twice as long for a short text.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
            guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
            return String(copying: text)
        }
    }

    @usableFromInline mutating func bytes() -> [UInt8] { withBytes { bytes in Array(bytes) } }

    mutating func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        defer { column += 1 }
        var count = 0
        let start = source.bytes(position, row, column, &count)
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
