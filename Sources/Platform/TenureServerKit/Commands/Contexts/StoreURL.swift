/// Finds and masks the passwords in a PostgreSQL URL, which libpq accepts after the user's name and as parameters.
enum StoreURL {
    static func hasPassword(_ url: String) -> Bool { withoutPassword(url) != url }

    /// Returns the URL with each password replaced by `***`. Any other text is returned unchanged.
    static func withoutPassword(_ url: String) -> String {
        let bytes = Array(url.utf8)
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"),
            let scheme = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return url }
        let start = scheme + 3
        let query = bytes[start...].firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        // libpq ends the password at the first `@`, and a password may contain `/` only as `%2F`. The last `@` before
        // the path is used here, so that a password with an unencoded `@` is masked completely.
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
            // libpq also decodes parameter names, so a name with `%` may be an encoded `password` or `sslpassword`.
            let isSecret = ["password", "sslpassword"].contains(name) || name.utf8.contains(UInt8(ascii: "%"))
            return isSecret && equals + 1 < parameter.endIndex ? parameter[...equals] + mask : Array(parameter)
        }
        shown += [UInt8(ascii: "?")] + masked.joined(separator: [UInt8(ascii: "&")])
        return String(decoding: shown, as: UTF8.self)
    }

    private static let mask = Array("***".utf8)
}
