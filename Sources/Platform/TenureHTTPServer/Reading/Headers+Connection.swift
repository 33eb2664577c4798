import CMicrohttpd
import TenureHTTP

extension Headers {
    /// Collects the header fields of a connection's current request.
    static func of(_ connection: OpaquePointer) -> Headers {
        var fields: [Headers.Field] = []
        fields.reserveCapacity(12)
        unsafe withUnsafeMutablePointer(to: &fields) { fields in
            _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, addField, fields)
        }
        return Headers(fields)
    }
}

/// Receives one field from libmicrohttpd.
private func addField(
    _ fields: UnsafeMutableRawPointer?, _: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameSize: Int,
    _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
    guard let fields = unsafe fields?.assumingMemoryBound(to: [Headers.Field].self) else { return .NO }
    let name = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
    let value = unsafe trimmed(UnsafeRawBufferPointer(start: value, count: valueSize))
    unsafe fields.pointee.append(Headers.Field(name: text(name), value: text(value)))
    return .YES
}

/// The text of a name or value; the most frequent long one needs no allocation.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    unsafe bytes.elementsEqual(json) ? "application/json" : String(decoding: bytes, as: UTF8.self)
}

private let json = Array("application/json".utf8)

/// Removes trailing white space; libmicrohttpd has removed leading white space.
private func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = bytes.count
    while end > 0, unsafe bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
}
