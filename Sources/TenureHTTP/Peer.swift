/// The other end of a connection, as the system tells it.
public enum Peer: Sendable, Hashable {
    /// A host, by its address.
    case host(IPAddress)
    /// A process of this machine, over a socket without addresses.
    case local

    /// Whether it is a process of this machine.
    public var isThisMachine: Bool {
        switch self {
        case .host(let address): address.isLoopback
        case .local: true
        }
    }
}
