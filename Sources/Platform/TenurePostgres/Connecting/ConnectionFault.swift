import TenureStore

/// Why a connection couldn't be opened.
///
/// libpq reports the cause only in its message, which names the host and port of each attempt. The known texts are
/// those of libpq and of a server whose messages are in English; an unknown text counts as ``unreachable``.
enum ConnectionFault: CaseIterable {
    case slots, password, user, entry, right, database, certificate, standby, readOnly, unwritable, host, starting
    case unreachable

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
        case .standby: [Self.isStandby]
        case .readOnly: [Self.isReadOnlyPrimary]
        case .unwritable: ["session is read-only"]
        case .host: ["could not translate host name"]
        case .starting: ["the database system is"]
        case .unreachable: []
        }
    }

    /// Whether the fault that a message reports persists until someone corrects it.
    ///
    /// If the URL names several hosts, the message contains the fault of each. The result is `false` if at least one of
    /// these hosts may come back.
    static func staysUntilMended(_ words: String) -> Bool {
        let mayPass =
            passing + allCases.filter { $0.isReadOnly || [.slots, .host, .starting].contains($0) }.flatMap(\.texts)
        if mayPass.contains(where: { words.contains($0) }) { return false }
        return switch ConnectionFault(words) {
        case .password, .user, .entry, .database, .right, .certificate: true
        case .slots, .standby, .readOnly, .unwritable, .host, .starting, .unreachable: false
        }
    }

    /// The phrase with which a session reports that a host is a standby; libpq uses it, too.
    static let isStandby = "server is in hot standby mode"
    /// The phrase with which a session reports that a host accepts no changes although it isn't a standby.
    static let isReadOnlyPrimary = "default_transaction_read_only is on"

    /// Whether the host responds, but accepts no changes.
    var isReadOnly: Bool { [.standby, .readOnly, .unwritable].contains(self) }

    /// Parts of libpq's messages about a host that may come back.
    private static let passing = [
        "Connection refused", "timeout expired", "No route to host", "Network is unreachable", "Host is down",
        "closed the connection unexpectedly", "Connection reset", "unexpected eof",
        "SYSCALL error", "Is the server running",
    ]

    /// A clause about the host or database, which follows its name.
    var phrase: String {
        switch self {
        case .password: "refuses the password"
        case .user, .right: "refuses this user"
        case .entry: "refuses connections from here as this user"
        case .database: "does not exist"
        case .certificate: "and this machine can't agree on an encrypted connection"
        case .slots: "accepts no more connections"
        case .standby: "is a standby"
        case .readOnly: "isn't a standby, but default_transaction_read_only is on"
        case .unwritable: "accepts no changes: it is a standby, or default_transaction_read_only is on"
        case .host: "cannot be found by its host name"
        case .starting: "is starting or shutting down"
        case .unreachable: "cannot be reached"
        }
    }

    /// The remedy, in one or more sentences.
    var cure: String {
        switch self {
        case .password: "Check the user, the PGPASSFILE or the --store-file."
        case .user: "Check the user in the URL, and that the role may log in."
        case .entry: "Check its pg_hba.conf."
        case .database: "Check the name in the URL, or create it with `createdb --encoding UTF8`."
        case .right: "Grant it the right CONNECT."
        case .certificate: "Check sslmode, sslrootcert, sslcert and sslkey, and the database's certificate."
        case .slots: "A server needs six. Raise max_connections or the role's limit, or end other sessions."
        case .standby, .unwritable:
            "Name the primary in the URL. Only if the primary is lost, fence it, and then promote a standby: see Failover in "
                + "Documentation/postgresql.md."
        case .readOnly:
            "If it's the primary, turn the setting off for the server, the database or the role that has it."
        case .host: "Check the URL and the name service."
        case .starting: "Wait, or look at its log."
        case .unreachable: "Check that it runs, and the host and port in the URL."
        }
    }
}
