import CPostgres
import TenureCore
import TenureStore

/// A validated URL of the database.
struct Address: Sendable {
    /// The URL as it was given; secret if it contains a password.
    let url: String
    /// The database and host for messages, without user or password.
    let position: String
    /// Whether sessions only read, so that the host may be a standby.
    let isOnlyReading: Bool

    /// Validates a PostgreSQL URL.
    ///
    /// Unless `allowingPassword` is set, it rejects a URL with a password, which would show in the process list and the
    /// shell's history.
    init(_ url: String, allowingPassword: Bool, onlyReading isOnlyReading: Bool = false) throws(StoreError) {
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw StoreError(.failed, "The store's URL is invalid. Use the form postgres://USER@HOST/DATABASE.")
        }
        let options = try Self.options(of: url)
        if !allowingPassword, options["password"] != nil || options["sslpassword"] != nil {
            throw StoreError(
                .permission,
                "A store's URL on the command line must not contain a password, because others can see it. Put the password in a "
                    + "PGPASSFILE, or put the whole URL in a file and pass it with --store-file FILE.")
        }
        self.url = url
        self.isOnlyReading = isOnlyReading
        let host = options["host"] ?? options["hostaddr"] ?? "this machine"
        position = "The database \(options["dbname"] ?? options["user"] ?? "of this user") on \(host)"
    }

    /// One of several hosts that a URL names.
    struct Host: Sendable, Hashable {
        /// The options of libpq that select the host.
        let options: [String: String]
    }

    /// The hosts, if the URL names several; otherwise empty.
    var hosts: [Host] {
        guard let options = try? Self.options(of: url) else { return [] }
        func list(_ name: String) -> [String] {
            (options[name] ?? "").split(atByte: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(names.count, addresses.count)
        if count < 2 { return [] }
        return (0..<count).map { number in
            var host: [String: String] = [:]
            for (option, values) in [("host", names), ("hostaddr", addresses)] where values.count == count {
                host[option] = values[number]
            }
            // A single port applies to all hosts. For hosts without a port, libpq returns a list of empty ports.
            let port = ports.count == count ? ports[number] : ports[0]
            if options["port"] != nil { host["port"] = port.isEmpty ? defaultPort : port }
            // An empty option would leave the whole list of the URL in effect.
            return Host(options: host.filter { !$0.value.isEmpty })
        }
    }

    static func options(of url: String) throws(StoreError) -> [String: String] {
        var words: UnsafeMutablePointer<CChar>?
        guard let parsed = unsafe PQconninfoParse(url, &words) else {
            unsafe PQfreemem(words)
            throw StoreError(
                .failed, "The store's URL cannot be parsed. Use the form postgres://USER@HOST:PORT/DATABASE.")
        }
        defer { unsafe PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var option = unsafe parsed
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe options[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return options
    }
}
