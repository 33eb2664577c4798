package import TenureStore

extension RecordStore {
    /// Runs transactions concurrently, so that the store can commit several of them together.
    ///
    /// Returns the transactions' answers in the order of `changes`. If some transactions fail, throws the first error
    /// in that order; the other transactions run nevertheless.
    package func performTogether<Answer: Sendable>(_ changes: [Transaction<Answer>]) async throws(Failure)
        -> [Answer]
    {
        let results = await withTaskGroup(of: (Int, Result<Answer, Failure>).self) { tasks in
            for (index, change) in changes.enumerated() {
                tasks.addTask {
                    do throws(Failure) {
                        return (index, .success(try await perform(change)))
                    } catch {
                        return (index, .failure(error))
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
