/// One HTTP request, complete, with its body read.
public struct Request: Sendable {
    /// The method, in upper case as it came: `GET`, `POST`, ...
    public var method: String

    /// The path as it came, without the query: never decoded, so that an encoded slash stays inside its segment.
    public var path: String

    /// The query as it came, without the question mark; empty when there was none.
    public var query: String

    /// The header fields in the order they came.
    public var headers: Headers

    /// The body's bytes; empty when there was none.
    public var body: [UInt8]

    /// Names this request in logs and answers; made by the server, never taken from the client.
    public var id: String

    /// The other end of the connection that it came over.
    public var peer: Peer

    /// Makes a request.
    public init(
        method: String, path: String, query: String = "", headers: Headers = [:], body: [UInt8] = [],
        id: String = "", peer: Peer = .local
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.id = id
        self.peer = peer
    }
}
