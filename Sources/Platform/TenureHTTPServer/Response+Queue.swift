import CMicrohttpd
import Glibc
import TenureHTTP

extension Response {
    /// Queues the response with libmicrohttpd, which adds `Content-Length` and `Date`.
    ///
    /// Returns `false`, and queues nothing, if the response can't be sent. Its status may be out of range, or a field
    /// may contain a line end or another control byte.
    func queue(on connection: OpaquePointer, closing: Bool) -> Bool {
        guard (200...599).contains(status) else { return false }
        guard let made = unsafe body.made() else { return false }
        defer { unsafe MHD_destroy_response(made) }
        for field in headers.fields where !Self.isOurs(field.name) {
            guard unsafe Self.add(field.name, field.value, to: made) else { return false }
        }
        if closing { guard unsafe Self.add("Connection", "close", to: made) else { return false } }
        return unsafe MHD_queue_response(connection, UInt32(status), made) == .YES
    }

    /// Adds a field, which libmicrohttpd copies; `withCString` avoids another copy.
    ///
    /// Returns `false` if the value contains a zero byte, which would end it early and hide what follows.
    private static func add(_ name: String, _ value: String, to response: OpaquePointer) -> Bool {
        unsafe name.withCString { name in
            unsafe value.withCString { text in
                guard unsafe strlen(text) == value.utf8.count else { return false }
                return unsafe MHD_add_response_header(response, name, text) == .YES
            }
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: Headers.sameName(name, "Date")
        case 10: Headers.sameName(name, "Connection")
        case 14: Headers.sameName(name, "Content-Length")
        case 17: Headers.sameName(name, "Transfer-Encoding")
        default: false
        }
    }
}

extension Response.Body {
    /// The body as a libmicrohttpd response; `nil` if memory or descriptors ran out.
    fileprivate func made() -> OpaquePointer? {
        switch self {
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let part):
            // libmicrohttpd closes the descriptor, possibly long after the file is released here, so it gets a
            // duplicate.
            let copy = fcntl(part.file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return nil }
            let made = unsafe MHD_create_response_from_fd_at_offset64(
                UInt64(part.range.upperBound - part.range.lowerBound), copy, UInt64(part.range.lowerBound))
            if unsafe made == nil { _ = close(copy) }
            return unsafe made
        }
    }
}
