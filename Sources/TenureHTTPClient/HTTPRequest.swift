/// One request to send.
public struct HTTPRequest: Sendable, Hashable {
    /// The method in upper case, such as `POST`.
    public var method: String

    /// The absolute URL, http or https; a fragment is not sent.
    public var url: String

    /// The header fields to send; `Host`, `Content-Length` and `Connection` are added.
    public var fields: HTTPFields

    /// The body; nil sends none.
    public var body: [UInt8]?

    /// Makes a request.
    public init(method: String, url: String, fields: HTTPFields = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Makes a GET.
    public static func get(_ url: String, fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: "GET", url: url, fields: fields)
    }

    /// Makes a POST of JSON text already written.
    public static func post(_ url: String, json: [UInt8], fields: HTTPFields = [:]) -> HTTPRequest {
        var fields = fields
        fields.add("Content-Type", "application/json")
        return HTTPRequest(method: "POST", url: url, fields: fields, body: json)
    }
}
