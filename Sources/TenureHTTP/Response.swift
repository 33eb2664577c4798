/// One HTTP answer, complete.
public struct Response: Sendable, Hashable {
    /// The status code, 200...599.
    public var status: Int

    /// The header fields; `Content-Length`, `Date` and `Connection` are the server's to add.
    public var headers: Headers

    /// The body's bytes.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes an answer whose body is JSON text already written.
    public static func json(status: Int = 200, _ body: [UInt8]) -> Response {
        Response(status: status, headers: ["Content-Type": "application/json"], body: body)
    }

    /// Makes an answer of plain text in UTF-8.
    public static func text(status: Int = 200, _ text: String) -> Response {
        Response(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }
}
