import CZlib

/// Decompresses DEFLATE data (RFC 1951) in pieces.
@safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var consumed = 0
    private var isUsable: Bool

    /// Whether the end of the compressed data was reached.
    private(set) var hasEnded = false

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe isUsable = tenure_inflate_begin(stream) == Z_OK
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// Whether all input has been consumed, so that ``feed(_:)`` may be called.
    var wantsInput: Bool { consumed == input.count }

    /// Sets the next compressed bytes; the previous bytes must have been consumed.
    func feed(_ bytes: [UInt8]) {
        input = bytes
        consumed = 0
    }

    /// Returns the next decompressed bytes; `nil` if the input is damaged.
    ///
    /// An empty result means that more input is needed or that the data has ended.
    func next(upTo limit: Int) -> [UInt8]? {
        guard isUsable, !hasEnded else { return isUsable ? [] : nil }
        var result = Z_OK
        let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, filled in
            unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + consumed }
                unsafe stream.pointee.avail_in = UInt32(input.count - consumed)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(limit)
                unsafe result = inflate(stream, Z_NO_FLUSH)
                unsafe consumed = input.count - Int(stream.pointee.avail_in)
                unsafe filled = limit - Int(stream.pointee.avail_out)
            }
        }
        hasEnded = result == Z_STREAM_END
        // `Z_BUF_ERROR` only means that more input is needed.
        isUsable = result == Z_OK || hasEnded || result == Z_BUF_ERROR
        return isUsable ? output : nil
    }
}

/// Computes a zip entry's CRC-32, which detects accidental damage but not tampering.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func take(_ bytes: [UInt8]) {
        value = UInt32(truncatingIfNeeded: unsafe crc32(UInt(value), bytes, UInt32(bytes.count)))
    }
}
