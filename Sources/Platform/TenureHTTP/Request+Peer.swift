extension Request {
    /// The other end of a connection, as reported by the system.
    public enum Peer: Sendable, Hashable {
        /// A host with an IP address.
        case host(IPAddress)
        /// A process on this machine, over a socket without addresses.
        case local

        /// Whether the peer is on this machine: a local process or a loopback address.
        public var isThisMachine: Bool {
            switch self {
            case .host(let address): address.isLoopback
            case .local: true
            }
        }
    }
}
