/// An HTTP request to send to a server.
public struct OutgoingRequest: Sendable, Hashable {
    /// The method in upper case, such as `POST`.
    public var method: String

    /// The absolute http or https URL; a fragment isn't sent.
    public var url: String

    /// The header fields to send; the transport adds `Host`, `Content-Length` and `Connection`.
    public var headers: Headers

    /// The body; `nil` sends none.
    public var body: [UInt8]?

    /// Creates a request from its parts, without validating them.
    public init(method: String, url: String, headers: Headers = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Creates a GET request without a body.
    public static func get(_ url: String, headers: Headers = [:]) -> OutgoingRequest {
        OutgoingRequest(method: "GET", url: url, headers: headers)
    }

    /// Creates a POST request from serialized JSON.
    public static func post(_ url: String, json: [UInt8], headers: Headers = [:]) -> OutgoingRequest {
        var headers = headers
        headers.add("Content-Type", "application/json")
        return OutgoingRequest(method: "POST", url: url, headers: headers, body: json)
    }
}
