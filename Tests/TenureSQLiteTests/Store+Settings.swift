import TenureStore

extension Store {
    /// Saves a setting of that name, of so many bytes.
    func set(_ name: String, bytes: Int = 1) async throws(StoreError) {
        try await perform(
            Change(loading: LoadKeys()) { _ in
                Saving((), [.setting(name: name, value: Array(repeating: 1, count: bytes))])
            })
    }
}
