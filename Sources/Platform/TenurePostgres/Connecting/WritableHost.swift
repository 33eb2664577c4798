import TenureStore

extension Database {
    /// Connects to the first host of the address that accepts changes.
    ///
    /// libpq would end its search at the first host that responds with an error, such as a standby whose certificate
    /// has expired.
    ///
    /// - Parameter first: The host to try before the others, if the address still names it.
    /// - Throws: If no host accepts changes, an error that names the fault of each host.
    func connectToWritableHost(
        _ settings: SessionSettings, first: Address.Host? = nil
    ) throws(StoreError) -> Connection {
        let address = address
        var hosts = address.candidates
        if let first, let position = hosts.firstIndex(of: first) { hosts.swapAt(0, position) }
        var failures: [HostFailure] = []
        for host in hosts {
            do throws(StoreError) {
                return try Connection(self, settings, host: host)
            } catch {
                if hosts.count == 1 { throw error }
                failures.append(HostFailure(label: host?.label ?? "", error: error, address: address))
            }
        }
        throw .noWritableHost(address.position, failures)
    }
}

/// Why one of several hosts can't be used.
struct HostFailure {
    let label: String
    let error: StoreError
    /// The fault that libpq or the host reported; `nil` if the connection was open already.
    let diagnosis: ConnectionDiagnosis?

    init(label: String, error: StoreError, address: Address) {
        (self.label, self.error) = (label, error)
        let isUnconnected = [.unavailable, .readOnly].contains(error.code)
        diagnosis = isUnconnected ? ConnectionDiagnosis(error.cause ?? "", at: address) : nil
    }

    /// The host with its fault, such as `db1.example:5432 is a standby`.
    var text: String {
        if diagnosis?.fault == .database { return "\(label) has no such database" }
        return diagnosis.map { "\(label) \($0.phrase)" } ?? "\(label): \(error.message)"
    }

    /// Whether the host may be the primary although it can't be reached.
    fileprivate var isAway: Bool {
        [.unreachable, .host, .starting].contains(diagnosis?.fault)
    }
}

extension StoreError {
    /// An error for an address with several hosts, none of which accepts changes.
    static func noWritableHost(_ position: String, _ failures: [HostFailure]) -> StoreError {
        let causes = failures.map { "\($0.label): \($0.error.cause ?? $0.error.message)" }.joined(separator: "; ")
        let standbys = failures.filter { $0.diagnosis?.fault == .standby }
        let others = failures.filter { $0.diagnosis?.fault != .standby }
        var cures: [String] = []
        for failure in others where !(failure.isAway && !standbys.isEmpty) {
            guard let cure = failure.diagnosis?.cure, !cures.contains(cure) else { continue }
            cures.append(cure)
        }
        if !standbys.isEmpty { cures.append(cure(ofStandbysBeside: others)) }
        let hosts = failures.map(\.text).joined(separator: "; ")
        return StoreError(
            ConnectionFault(causes).isReadOnly ? .readOnly : .unavailable,
            "\(position) has no host that accepts changes: \(hosts). \(cures.joined(separator: " "))", cause: causes)
    }

    /// The remedy if hosts are standbys; promoting one while the primary still runs would create two primaries.
    private static func cure(ofStandbysBeside others: [HostFailure]) -> String {
        if others.isEmpty { return ConnectionFault.standby.cure }
        let names = others.map(\.label).joined(separator: " and ")
        return others.allSatisfy(\.isAway)
            ? "Look at \(names) first. Only if it's lost, fence it, and then promote a standby: see Failover in "
                + "Documentation/postgresql.md."
            : "Don't promote a standby while \(names) may be the primary."
    }
}
