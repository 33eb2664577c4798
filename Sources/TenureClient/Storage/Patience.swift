/// How long one waits for a record that another process is changing.
///
/// The waiting is done here and not where the record is kept, so that it holds no thread and no actor, and ends when its
/// task is cancelled.
package struct Patience: Sendable {
    /// The pauses between two attempts, in milliseconds.
    let pauses: [Int]

    /// 10 s in all. Holding a record takes two writes to the disk.
    package static let standard = Patience(pauses: (0..<6).map { 1 << $0 } + Array(repeating: 50, count: 200))

    /// Makes attempts until one does not fail with `.busy`. Nothing else runs in the caller's isolation from the
    /// beginning of an attempt to its end.
    ///
    /// Throws what the last attempt throws, but `.unwritable` in place of `.busy`; also when the task is cancelled.
    package func wait<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ attempt: () throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        for pause in pauses {
            do throws(VaultError) {
                return try attempt()
            } catch {
                guard error.code == .busy else { throw error }
            }
            do {
                try await Task.sleep(for: .milliseconds(pause))
            } catch {
                throw VaultError(.unwritable, "Another process holds the record, and nobody waits for it; try again.")
            }
        }
        throw VaultError(
            .unwritable, "Another process holds the record and does not let go of it; end it and try again.")
    }
}
