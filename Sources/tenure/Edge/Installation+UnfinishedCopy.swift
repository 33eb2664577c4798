import TenureServer
import TenureStore

extension Installation {
    /// Nobody works with half a store.
    static func refuseUnfinishedCopy(_ store: any Store) async throws {
        guard try await UnfinishedCopy.isThere(in: store) else { return }
        throw CommandError(
            "This store is a copy that was interrupted, or that differs from its source. Finish it by the command that "
                + "began it, such as `tenure migrate-store`; nothing was changed.")
    }
}
