import TenureStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Address {
    /// Whether the sessions need a host that accepts changes. They don't if they only read, or if the URL sets
    /// `target_session_attrs` to a value other than `read-write` and `primary`.
    var needsWritableHost: Bool {
        if isOnlyReading { return false }
        let options = (try? Self.options(of: url)) ?? [:]
        return ["read-write", "primary"].contains(options["target_session_attrs"] ?? "read-write")
    }

    /// The hosts in the order in which they are tried. A single `nil` means that libpq chooses, because a service file
    /// or a variable may name several hosts.
    var candidates: [Host?] {
        if hosts.count > 1 { return hosts }
        let options = (try? Self.options(of: url)) ?? [:]
        let isListedElsewhere =
            setting("service", "PGSERVICE", in: options) != nil
            || [("host", "PGHOST"), ("hostaddr", "PGHOSTADDR")].contains { option, variable in
                setting(option, variable, in: options)?.utf8.contains(UInt8(ascii: ",")) == true
            }
        return isListedElsewhere ? [nil] : [Host(options: [:])]
    }

    /// The port of a host for which the URL names none.
    var defaultPort: String { setting("port", "PGPORT", in: [:]) ?? "5432" }

    /// An option's value, or that of its environment variable; `nil` if both are unset or empty.
    func setting(_ option: String, _ variable: String, in options: [String: String]) -> String? {
        if let value = options[option], !value.isEmpty { return value }
        guard let value = unsafe getenv(variable), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}

extension Address.Host {
    /// The host and port for messages, such as `db1.example:5432`.
    var label: String {
        "\(options["host"] ?? options["hostaddr"] ?? "this machine"):\(options["port"] ?? "5432")"
    }
}
