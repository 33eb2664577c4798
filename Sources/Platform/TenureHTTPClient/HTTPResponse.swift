/// A complete response; the body is empty if it was streamed.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code; informational responses are skipped.
    public var status: Int

    /// The header fields in the order in which they were received, without trailers.
    public var fields: HTTPFields

    /// The body, whose size the transport limits.
    public var body: [UInt8]

    /// Creates a response from its parts.
    public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the status is in 200...299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The body decoded as UTF-8; invalid bytes are replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
