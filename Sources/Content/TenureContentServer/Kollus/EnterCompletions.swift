import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// Writes the entries of the local journal to the store once it responds.
struct EnterCompletions: Service {
    let book: CompletionJournal
    let answer: AnswerKollus
    let catalog: CatalogCache

    var name: String { "kollus_completions" }

    /// How long the service may pause: short enough for completions to reach the store within five seconds of its
    /// recovery.
    var longestPause: Duration { .seconds(4) }

    /// Writes a group of the oldest entries to the store; pauses if the journal is empty.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let some = book.oldest(Self.group)
        if some.isEmpty { return .after(.seconds(1)) }
        for completion in some {
            // Skipped if the tenant was removed or no longer offers content, because there is nothing to write to.
            guard catalog.current.catalog.tenants[completion.tenant]?.contents != nil else { continue }
            // The clock may have been fast or untrusted when the entry was written, so its time is capped at now.
            let moment = min(completion.at, answer.clock.now())
            _ = try await answer([completion.item], of: completion.tenant, unknown: .leave, at: moment)
        }
        await book.takeOut(some)
        return .atOnce
    }

    private static let group = 64
}
