public import TenureCore
public import TenureStore

extension PostgresStore {
    /// Lists the activations of a license, oldest first.
    public func activations(
        of license: LicenseID, includingReleased: Bool
    ) async throws(StoreError) -> [Activation] {
        try await readers.read { connection throws(StoreError) in
            try connection.all(
                includingReleased ? .activationsOfLicense : .liveActivationsOfLicense, [.license(license)],
                Activation.read)
        }
    }

    /// Reads one activation; nil when there is none of that name.
    public func activation(_ id: ActivationID) async throws(StoreError) -> Activation? {
        try await readers.read { connection throws(StoreError) in
            try connection.first(.activationByID, [.id(id)], Activation.read)
        }
    }
}
