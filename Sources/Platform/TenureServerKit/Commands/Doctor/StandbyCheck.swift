import TenureStore

/// Checks that commits don't wait for a synchronous standby that is away.
enum StandbyCheck {
    static func run(_ store: any Store) async -> [Finding] {
        do throws(StoreError) {
            guard let wait = try await store.view(StandbyWait.query).first else { return [] }
            return [.failure("standby", wait.message, cure: StandbyWait.cure)]
        } catch {
            return [.failure("standby", error)]
        }
    }
}
