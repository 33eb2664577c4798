package import TenureStore

extension Store {
    /// Runs changes concurrently, so that the store can combine them into one transaction.
    ///
    /// Returns answers in order. Throws the first ``StoreError``; the other changes are carried out anyway.
    package func performTogether<Answer: Sendable>(_ changes: [Transaction<Answer>]) async throws(StoreError)
        -> [Answer]
    {
        let results = await withTaskGroup(of: (Int, Result<Answer, StoreError>).self) { tasks in
            for (place, change) in changes.enumerated() {
                tasks.addTask {
                    do throws(StoreError) {
                        return (place, .success(try await perform(change)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        var answers: [Answer] = []
        for (_, result) in results.sorted(by: { $0.0 < $1.0 }) { answers.append(try result.get()) }
        return answers
    }
}
