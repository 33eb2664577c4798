import TenureStore

/// Why a connection couldn't be opened.
///
/// libpq tells the cause only in its message, which names the host and port of each try. The texts are those of libpq
/// and of a server whose messages are in English; an unknown text counts as ``unreachable``.
enum ConnectionFault: CaseIterable {
    case slots, password, user, entry, right, database, certificate, readOnly, host, starting, unreachable

    /// Recognizes a fault by libpq's message.
    init(_ words: String) {
        self = Self.allCases.first { fault in fault.texts.contains { words.contains($0) } } ?? .unreachable
    }

    private var texts: [String] {
        switch self {
        case .password: ["authentication failed", "no password supplied"]
        case .user: ["role \"", "is not permitted to log in"]
        case .entry: ["no pg_hba.conf entry", "pg_hba.conf rejects connection"]
        case .database: ["database \""]
        case .right: ["permission denied for database"]
        case .certificate:
            ["certificate", "does not support SSL", "private key file", "unknown ca", "sslmode value"]
        case .slots: ["too many clients", "too many connections", "connection slots are reserved"]
        case .readOnly: ["session is read-only", "in hot standby mode"]
        case .host: ["could not translate host name"]
        case .starting: ["the database system is"]
        case .unreachable: []
        }
    }

    /// Whether waiting doesn't remove the cause that a message tells.
    ///
    /// If the URL names several hosts, the message tells about each; one that may come back is reason enough to wait.
    static func staysUntilMended(_ words: String) -> Bool {
        let mayPass =
            passing + allCases.filter { [.slots, .readOnly, .host, .starting].contains($0) }.flatMap(\.texts)
        if mayPass.contains(where: { words.contains($0) }) { return false }
        return switch ConnectionFault(words) {
        case .password, .user, .entry, .database, .right, .certificate: true
        case .slots, .readOnly, .host, .starting, .unreachable: false
        }
    }

    private static let passing = [
        "Connection refused", "timeout expired", "No route to host", "Network is unreachable", "Host is down",
        "closed the connection unexpectedly", "Connection reset", "unexpected eof",
        "SYSCALL error", "Is the server running",
    ]

    /// What is wrong with the database at this position, and what to do.
    func message(_ position: String) -> String {
        switch self {
        case .password:
            "\(position) refuses the password. Check the user, the PGPASSFILE or the --store-file."
        case .user: "\(position) refuses this user. Check the user in the URL, and that the role may log in."
        case .entry: "\(position) refuses connections from here as this user. Check its pg_hba.conf."
        case .database:
            "\(position) does not exist. Check the name in the URL, or create it with `createdb --encoding UTF8`."
        case .right: "\(position) refuses this user. Grant it the right CONNECT."
        case .certificate:
            "\(position) and this machine can't agree on an encrypted connection. Check sslmode, sslrootcert, sslcert and "
                + "sslkey, and the database's certificate."
        case .slots:
            "\(position) accepts no more connections. A server needs six. Raise max_connections or the role's limit, or "
                + "end other sessions."
        case .readOnly:
            "\(position) accepts no changes: it is a standby, or read-only. Promote it, or name the primary in the URL."
        case .host: "\(position) cannot be found by its host name. Check the URL and the name service."
        case .starting: "\(position) is starting or shutting down."
        case .unreachable: "\(position) cannot be reached. Check that it runs, and the host and port in the URL."
        }
    }
}
