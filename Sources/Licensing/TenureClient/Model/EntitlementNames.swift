/// Reports entitlement names that the app checks, or that a license grants, but that the app hasn't declared.
///
/// In a trial, every name would be available. So without a declaration, a misspelt name works for the whole trial and
/// fails for a person who has paid.
@MainActor
final class EntitlementNames {
    /// The names that the app declared; `nil` if it declared none, so that every name is accepted.
    private let declared: Set<String>?
    private let log: LogListener
    private let stop: (String) -> Void
    private var reported: Set<String> = []

    /// - Parameter stop: Stops a debug build with a message.
    init(_ declared: Set<String>?, log: LogListener, stop: @escaping (String) -> Void) {
        self.declared = declared
        self.log = log
        self.stop = stop
    }

    /// Whether the app may ask for this name; otherwise, stops a debug build and logs the name once.
    func accepts(_ name: String) -> Bool {
        guard let declared, !declared.contains(name) else { return true }
        let message = "The app asks for the entitlement \(name), but configuration.entitlements doesn't contain it."
        if reported.insert("asked \(name)").inserted {
            log.tell(.error, "entitlement.undeclared", ["name": name], message)
        }
        stop(message)
        return false
    }

    /// Logs each granted name that the app hasn't declared, once.
    func check(granted entitlements: [LicenseEntitlement]) {
        guard let declared else { return }
        for name in entitlements.map(\.name) where !declared.contains(name) {
            guard reported.insert("granted \(name)").inserted else { continue }
            log.tell(
                .warning, "entitlement.unused", ["name": name],
                "The license grants the entitlement \(name), but configuration.entitlements doesn't contain it.")
        }
    }
}
