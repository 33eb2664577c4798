import TenureHTTP

extension OutgoingRequest {
    /// Rejects requests that can't be sent or that libraries could interpret differently.
    func check() throws(TransportError) {
        guard let authority else {
            throw TransportError(
                .badURL, "The address isn't an http or https URL. Write one such as https://host/path.")
        }
        guard !authority.isEmpty, !authority.contains("@") else {
            throw TransportError(
                .badURL, "The address needs a host, and no name or password before it. Send those in a header field.")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TransportError(
                .badURL, "The address contains a space, a control character or a letter outside ASCII. Escape it.")
        }
        guard Headers.isToken(method) else {
            throw TransportError(.badURL, "The method isn't an HTTP token.")
        }
        if let field = headers.fields.first(where: { !$0.isSendable }) {
            let name = Headers.isToken(field.name) ? field.name : "with a bad name"
            throw TransportError(.badURL, "The header field \(name) contains characters that can't be sent.")
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
