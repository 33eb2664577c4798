import TenureStore

extension Store {
    /// Saves a setting of that name.
    func set(_ name: String) async throws(StoreError) {
        try await perform(Change(loading: LoadKeys()) { _ in Saving((), [.setting(name: name, value: [1])]) })
    }
}
