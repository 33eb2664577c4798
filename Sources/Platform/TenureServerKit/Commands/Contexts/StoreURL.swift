/// The passwords in a PostgreSQL URL, which libpq accepts after the user and as parameters.
enum StoreURL {
    static func hasPassword(_ url: String) -> Bool { withoutPassword(url) != url }

    /// Returns the URL with each password replaced by `***`; a text that isn't such a URL stays as it is.
    static func withoutPassword(_ url: String) -> String {
        let bytes = Array(url.utf8)
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"),
            let scheme = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return url }
        let start = scheme + 3
        let query = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        // libpq ends the user's part at the first `@` before the path; a password may contain `/` only as `%2F`.
        let path = bytes[start..<query].firstIndex(of: UInt8(ascii: "/")) ?? query
        var shown = Array(bytes[..<start])
        if let at = bytes[start..<path].lastIndex(of: UInt8(ascii: "@")),
            let colon = bytes[start..<at].firstIndex(of: UInt8(ascii: ":")), colon + 1 < at
        {
            shown += bytes[start...colon] + mask + bytes[at..<query]
        } else {
            shown += bytes[start..<query]
        }
        guard query < bytes.endIndex else { return String(decoding: shown, as: UTF8.self) }
        let parameters = bytes[(query + 1)...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let masked = parameters.map { parameter -> [UInt8] in
            guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return Array(parameter) }
            let name = String(decoding: parameter[..<equals], as: UTF8.self)
            // libpq decodes names, too, so a name with `%` may be one of the two.
            let isSecret = ["password", "sslpassword"].contains(name) || name.utf8.contains(UInt8(ascii: "%"))
            return isSecret && equals + 1 < parameter.endIndex ? parameter[...equals] + mask : Array(parameter)
        }
        shown += [UInt8(ascii: "?")] + masked.joined(separator: [UInt8(ascii: "&")])
        return String(decoding: shown, as: UTF8.self)
    }

    private static let mask = Array("***".utf8)
}
