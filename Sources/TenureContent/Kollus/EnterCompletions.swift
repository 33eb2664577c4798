import TenureCore
import TenureServerKit
import TenureStore

/// Enters what stands in the local book once the store answers.
struct EnterCompletions: Service {
    let book: CompletionBook
    let answer: AnswerKollus
    let catalog: CatalogCache

    /// Names it.
    var name: String { "kollus_completions" }

    /// Short, so that completions reach the store within five seconds of its recovery.
    var longestPause: Duration { .seconds(4) }

    /// Enters a few of the oldest.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let some = book.oldest(Self.group)
        if some.isEmpty { return .after(.seconds(1)) }
        for completion in some {
            // A tenant that is gone has nothing to enter it into.
            guard catalog.current.catalog.tenants[completion.tenant]?.contents != nil else { continue }
            // A clock that was ahead, or in doubt, may have written the book; nothing was completed after now.
            let moment = min(completion.at, answer.clock.now())
            _ = try await answer([completion.item], of: completion.tenant, unknown: .leave, at: moment)
        }
        await book.takeOut(some)
        return .atOnce
    }

    private static let group = 64
}
