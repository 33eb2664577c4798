import CPostgres

/// Receives the notices of a connection and keeps the last warning.
// No lock: libpq calls it on the thread that owns the connection.
final class Notices {
    /// The text of the last warning since it was set to `nil`.
    var warning: String?

    /// Makes a connection report its notices here; the object must live as long as the connection.
    func receive(from handle: OpaquePointer) {
        unsafe PQsetNoticeReceiver(handle, keepWarning, Unmanaged.passUnretained(self).toOpaque())
    }
}

/// Stores the text of a warning; other notices are ignored. Field `V` holds the severity in English.
private func keepWarning(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
    guard let context = unsafe context,
        let severity = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "V"))),
        unsafe String(cString: severity) == "WARNING"
    else { return }
    let text = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "M")))
    let notices = unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
    notices.warning = unsafe text.map { unsafe String(cString: $0) } ?? ""
}
