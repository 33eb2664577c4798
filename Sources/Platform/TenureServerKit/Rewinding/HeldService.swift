import TenureStore

/// Holds a service back while the store is known to have lost records.
///
/// Its work reaches other servers, which may have it already, or which must not get what is about to be settled.
struct HeldService: Service {
    let service: any Service
    let catalog: CatalogCache

    var name: String { service.name }
    var role: Role? { service.role }
    var alarm: String { service.alarm }
    var longestPause: Duration { service.longestPause }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        catalog.hasLostRecords ? .after(.seconds(5)) : try await service.turn(as: leader)
    }

    func finish() async throws(ServerError) { try await service.finish() }
}
