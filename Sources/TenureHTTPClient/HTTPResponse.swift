/// What a server answered, complete.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code; informational ones are never answered.
    public var status: Int

    /// The header fields in the order they came, without trailers.
    public var fields: HTTPFields

    /// The body, as long as the limit of the transport allows.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, fields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the status is one of 200...299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The body read as UTF-8, with broken bytes replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
