/// Writes JSON straight into bytes; for answers that are too frequent for a general encoder.
///
///     JSONWriter.object {
///         $0.member("valid", true)
///         $0.member("license_expires_at", expiry?.seconds)
///         $0.object("lease") { $0.member("kid", "k1") }
///         $0.array("keys") { $0.object { $0.member("alg", "ed25519") } }
///     }
///
/// Objects take members and arrays take elements; the compiler keeps the two apart. Names are not checked for
/// duplicates. An absent value is written as `null`; to leave a member out, do not write it.
public enum JSONWriter {
    /// Writes one object.
    public static func object(_ body: (inout JSONObjectWriter) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        JSONObjectWriter.write(into: &bytes, body)
        return bytes
    }

    /// Writes one array.
    public static func array(_ body: (inout JSONArrayWriter) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        JSONArrayWriter.write(into: &bytes, body)
        return bytes
    }
}
