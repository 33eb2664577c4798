/// One HTTP answer, complete.
public struct Response: Sendable, Hashable {
    /// The status code, 200...599.
    public var status: Int

    /// The header fields; `Content-Length`, `Date` and `Connection` are the server's to add.
    public var headers: Headers

    /// What follows the header.
    public var body: Body

    /// What an answer holds.
    public enum Body: Sendable, Hashable {
        /// Bytes that are in memory.
        case bytes([UInt8])
        /// Bytes of a file, which the server reads as the client takes them.
        case file(FilePart)

        /// The bytes that are sent; those of a file are read now, which is for tools and tests.
        public var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .file(let part): part.read()
            }
        }
    }

    /// Makes an answer of bytes.
    public init(status: Int, headers: Headers = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    /// Makes an answer of a part of a file.
    public init(status: Int, headers: Headers, file: FilePart) {
        self.status = status
        self.headers = headers
        body = .file(file)
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
