/// One HTTP response, to send or received.
public struct Response: Sendable, Hashable {
    /// The status code, 200...599.
    public var status: Int

    /// The header fields; the server adds `Content-Length`, `Date` and `Connection`.
    ///
    /// Those of a received response are in the order in which they were received, without trailers.
    public var headers: Headers

    /// The body; in response to a `HEAD` request, the server sends only its length.
    ///
    /// The body of a received response is in memory, and empty if it was streamed.
    public var body: Body

    /// A response's body, in memory or in a file.
    public enum Body: Sendable, Hashable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// Bytes of a file, which the server reads as the client receives them.
        case file(FilePart)

        /// The bytes. A received body is in memory; a file is read now, so a server must not use this for what it
        /// sends.
        public var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .file(let part): part.read()
            }
        }
    }

    /// Creates a response with a body in memory.
    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// Creates a response whose body is a part of a file.
    public init(status: Int, headers: Headers, file: FilePart) {
        self.status = status
        self.headers = headers
        body = .file(file)
    }

    /// Whether the status is in 200...299.
    package var isSuccess: Bool { (200...299).contains(status) }

    /// The body decoded as UTF-8, in tools and tests also that of a file; invalid bytes are replaced.
    package var text: String { String(decoding: body.bytes, as: UTF8.self) }

    /// Creates a response from serialized JSON.
    public static func json(status: Int = 200, _ body: [UInt8]) -> Response {
        Response(status: status, headers: Headers("Content-Type", "application/json"), body: body)
    }

    /// Creates a response of plain text in UTF-8.
    public static func text(status: Int = 200, _ text: String) -> Response {
        Response(status: status, headers: Headers("Content-Type", "text/plain; charset=utf-8"), body: Array(text.utf8))
    }
}
