public import TenureStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PostgresStore {
    /// Returns a text that identifies the database of a URL, without its password.
    ///
    /// Two URLs with the same identity lead to the same database and schema.
    public static func identity(ofDatabaseAt url: String) throws(StoreError) -> String {
        let options = try Address.options(of: url)
        let told = [
            ("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"), ("port", "PGPORT"), ("dbname", "PGDATABASE"),
            ("user", "PGUSER"), ("options", "PGOPTIONS"), ("service", "PGSERVICE"),
        ].map { option, variable -> String in
            var value = options[option] ?? ""
            if value.isEmpty, let set = unsafe getenv(variable) { value = unsafe String(cString: set) }
            return "\(option)=\(value.utf8.count):\(value)"
        }
        return told.joined(separator: " ")
    }
}

extension StoreError {
    /// Whether the database refused the connection for a reason that persists until someone corrects it.
    ///
    /// Such reasons are a wrong password, a missing database, a missing right and a certificate that can't be verified.
    public var isConnectionRefusedForGood: Bool {
        guard code == .unavailable, let cause else { return false }
        return ConnectionFault.staysUntilMended(cause)
    }
}
