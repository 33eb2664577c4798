#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension FileDescriptor {
    /// Reads the next bytes, at most `limit`; fewer at the end of the file.
    ///
    /// To notice a file that is too long, pass a limit that is one byte larger than the longest allowed file.
    package func read(upTo limit: Int = .max) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let chunk = try unsafe Self.chunk(of: min(limit - bytes.count, 64 << 10)) { room in
                unsafe readNext(number, room)
            }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes
    }

    /// Reads up to `count` bytes from an offset; fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let chunk = try unsafe Self.chunk(of: count - bytes.count) { room in
                unsafe pread(number, room.baseAddress, room.count, off_t(offset + bytes.count))
            }
            if chunk.isEmpty { break }
            bytes = bytes.isEmpty ? chunk : bytes + chunk
        }
        return bytes
    }

    /// Writes all bytes at the file's position, however many system calls that takes.
    ///
    /// If it throws, some of the bytes may have been written.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        try unsafe Self.writeAll(bytes) { rest, _ in unsafe writeNext(number, rest) }
    }

    /// Writes all bytes from an offset, without making them durable.
    ///
    /// If it throws, some of the bytes may have been written.
    package func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        try unsafe Self.writeAll(bytes) { rest, written in
            unsafe pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
        }
    }

    private static func chunk(of count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(Errno) {
                filled = try retry { unsafe read(UnsafeMutableRawBufferPointer(buffer)) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func writeAll(
        _ bytes: [UInt8], _ write: (_ rest: UnsafeRawBufferPointer, _ written: Int) -> Int
    ) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let count = try retry {
                unsafe bytes.withUnsafeBytes { all in
                    unsafe write(UnsafeRawBufferPointer(rebasing: all[written...]), written)
                }
            }
            // A call that writes nothing would be repeated forever.
            guard count > 0 else { throw Errno(EIO) }
            written += count
        }
    }
}

/// Repeats a call that a signal interrupts.
private func retry(_ call: () -> Int) throws(Errno) -> Int {
    while true {
        let count = call()
        if count >= 0 { return count }
        if errno != EINTR { throw .current }
    }
}

// These functions are outside the type, because its methods hide the system's functions of the same names.
private func readNext(_ number: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(number, room.baseAddress, room.count)
}

private func writeNext(_ number: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(number, bytes.baseAddress, bytes.count)
}
