import TenureStore

/// Delays a service until the catalog has been read, because the store may be unavailable before that.
struct WaitingForStore: Service {
    let service: any Service
    let catalog: CatalogCache

    var name: String { service.name }
    var role: Role? { service.role }
    var alarm: String { service.alarm }
    var longestPause: Duration { service.longestPause }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        catalog.current.isComplete ? try await service.turn(as: leader) : .after(.seconds(1))
    }

    func finish() async throws(ServerError) {
        if catalog.current.isComplete { try await service.finish() }
    }
}
