/// An HTTP request for an ``HTTPTransport`` to send.
public struct HTTPRequest: Sendable, Hashable {
    /// The method in upper case, such as `POST`.
    public var method: String

    /// The absolute http or https URL; a fragment isn't sent.
    public var url: String

    /// The header fields to send; `Host`, `Content-Length` and `Connection` are added.
    public var fields: HTTPFields

    /// The body; `nil` sends none.
    public var body: [UInt8]?

    /// Creates a request from its parts, without validating them.
    public init(method: String, url: String, fields: HTTPFields = [:], body: [UInt8]? = nil) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Creates a GET request without a body.
    public static func get(_ url: String, fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: "GET", url: url, fields: fields)
    }

    /// Creates a POST request from serialized JSON.
    public static func post(_ url: String, json: [UInt8], fields: HTTPFields = [:]) -> HTTPRequest {
        var fields = fields
        fields.add("Content-Type", "application/json")
        return HTTPRequest(method: "POST", url: url, fields: fields, body: json)
    }
}

extension HTTPRequest {
    /// Rejects requests that can't be sent or that libraries could interpret differently.
    func check() throws(TransportError) {
        guard let authority else {
            throw TransportError(.badURL, "The address is no http or https URL. Write one such as https://host/path.")
        }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw TransportError(
                .badURL, "The address needs a host, and no name or password before it. Send those in a header field.")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TransportError(
                .badURL, "The address holds a space, a control character or a letter outside ASCII. Escape it.")
        }
        guard HTTPFields.Field(name: method, value: "").isSendable else {
            throw TransportError(.badURL, "The method is no word that HTTP knows.")
        }
        if let field = fields.fields.first(where: { !$0.isSendable }) {
            let name = HTTPFields.Field(name: field.name, value: "").isSendable ? field.name : "with a bad name"
            throw TransportError(.badURL, "The header field \(name) holds characters that cannot be sent.")
        }
    }

    /// The scheme, host and port of a checked request, for messages.
    var origin: String {
        guard let authority else { return "the server" }
        return url.prefix { $0 != "/" } + "//" + authority
    }

    private var authority: Substring? {
        for scheme in ["http://", "https://"] where url.lowercased().hasPrefix(scheme) {
            return url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        }
        return nil
    }
}
