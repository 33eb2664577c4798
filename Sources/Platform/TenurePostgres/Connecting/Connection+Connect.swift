import CPostgres

extension Connection {
    /// Connects with defaults that suit a server; options in the URL override them.
    ///
    /// An unresponsive host is detected within about ten seconds.
    ///
    /// - Parameter host: The only host to connect to; `nil` for libpq's choice among those of the URL.
    static func connect(_ address: Address, to host: Address.Host? = nil) -> OpaquePointer? {
        let options: KeyValuePairs = [
            "fallback_application_name": "tenure", "connect_timeout": "3", "keepalives_idle": "5",
            "keepalives_interval": "2", "keepalives_count": "2", "tcp_user_timeout": "10000", "gssencmode": "disable",
            "target_session_attrs": "read-write", "dbname": address.url, "client_encoding": "UTF8",
        ]
        // These options come after the URL, so that they replace its list of hosts.
        var chosen = (host?.options ?? [:]).map { (key: $0.key, value: $0.value) }
        // With a single host, the session itself reports whether the host accepts changes, and why not.
        if address.isOnlyReading || host != nil && address.needsWritableHost {
            chosen.append((key: "target_session_attrs", value: "any"))
        }
        // Otherwise, libpq would report the unusable file on standard error, in the middle of the log.
        if CredentialFiles(of: address).unusablePassfile != nil {
            chosen.append((key: "passfile", value: CredentialFiles.noPassfile))
        }
        let words = (options.map { ($0.key, $0.value) } + chosen).flatMap { [$0.0, $0.1] }.map { Array($0.utf8CString) }
        // All strings in one block, so that their addresses stay valid during the call.
        let block = words.flatMap { $0 }
        return unsafe block.withUnsafeBufferPointer { block in
            var keywords: [UnsafePointer<CChar>?] = unsafe []
            var values: [UnsafePointer<CChar>?] = unsafe []
            guard var position = block.baseAddress else { return nil }
            for (number, word) in words.enumerated() {
                if number.isMultiple(of: 2) { unsafe keywords.append(position) } else { unsafe values.append(position) }
                unsafe position += word.count
            }
            unsafe keywords.append(nil)
            unsafe values.append(nil)
            return unsafe PQconnectdbParams(keywords, values, 1)
        }
    }
}
