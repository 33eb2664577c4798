import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// Writes the entries of the local journal to the store once it responds.
struct EnterCompletions: Service {
    let journal: CompletionJournal
    let context: ContentContext

    var name: String { "kollus_completions" }

    /// How long the service may pause: short enough for completions to reach the store within five seconds of its
    /// recovery.
    var longestPause: Duration { .seconds(4) }

    /// Writes a group of the oldest entries to the store; pauses if the journal is empty.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        let some = journal.oldest(Self.group)
        if some.isEmpty { return .after(.seconds(2)) }
        for completion in some {
            // Skipped if the tenant was removed or no longer offers content, because there is nothing to write to.
            guard context.catalog.current.catalog.tenants[completion.tenant]?.contents != nil else { continue }
            // The clock may have been fast or untrusted when the entry was written, so its time is capped at now.
            let time = min(completion.at, context.clock.now())
            _ = try await context.answerKollus([completion.item], of: completion.tenant, unknown: .leave, at: time)
        }
        await journal.takeOut(some)
        return .atOnce
    }

    private static let group = 64
}
