/// Reads the columns of a row one after the other, straight from an engine's memory; good while its statement stands.
public struct RowCursor {
    /// An engine's ways of reading a column: three functions over the library's own pointer.
    public struct Source: Sendable {
        let isNull: @convention(c) (_ place: OpaquePointer, _ row: Int32, _ column: Int32) -> Bool
        let integer: @convention(c) (_ place: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64
        let bytes:
            @convention(c) (
                _ place: OpaquePointer, _ row: Int32, _ column: Int32, _ count: UnsafeMutablePointer<Int>
            ) -> UnsafeRawPointer?
        let text: (@Sendable (String) -> String)?

        /// States them.
        /// - Parameters:
        ///   - isNull: Whether the column holds nothing.
        ///   - integer: Its whole number; of a flag 0 or 1.
        ///   - bytes: Where its bytes begin, and how many there are; of a text its UTF-8.
        ///   - text: Undoes what the engine had to do to a text to store it, if anything.
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
    private let place: OpaquePointer
    private let row: Int32
    /// The column that is read next.
    package var column: Int32

    /// Stands before a column of a row.
    package init(_ source: Source, at place: OpaquePointer, row: Int32 = 0, column: Int32 = 0) {
        self.source = source
        self.place = place
        self.row = row
        self.column = column
    }

    /// Reads the next column. Throws `.corrupt` when it holds what no version of this program wrote.
    @inlinable public mutating func next<Value: Storable>(_ type: Value.Type = Value.self) throws(StoreError) -> Value {
        try Value(from: &self)
    }

    /// Whether the next column holds nothing; it stays the next one.
    @usableFromInline package var isNull: Bool { source.isNull(place, row, column) }

    /// Passes over the next column.
    @usableFromInline package mutating func skip() { column += 1 }

    @usableFromInline mutating func integer() -> Int64 {
        defer { column += 1 }
        return source.integer(place, row, column)
    }

    @usableFromInline mutating func text() -> String {
        let text = withBytes { bytes in String(decoding: bytes, as: UTF8.self) }
        return source.text.map { restore in restore(text) } ?? text
    }

    @usableFromInline mutating func bytes() -> [UInt8] { withBytes { bytes in Array(bytes) } }

    mutating func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        defer { column += 1 }
        var count = 0
        let start = source.bytes(place, row, column, &count)
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
