import TenureCore
import TenureStore

/// Holds a service back while its work can't be done or would cause harm.
struct HeldService: Service {
    private let service: any Service
    private let pause: Duration
    private let finishesAlways: Bool
    private let isHeld: @Sendable () -> Bool

    private init(
        _ service: any Service, for pause: Duration, finishesAlways: Bool = false,
        while isHeld: @escaping @Sendable () -> Bool
    ) {
        self.service = service
        self.pause = pause
        self.finishesAlways = finishesAlways
        self.isHeld = isHeld
    }

    /// Holds a service back until the catalog has been read, because the store may be unavailable until then.
    static func untilRead(_ catalog: CatalogCache, _ service: any Service) -> HeldService {
        HeldService(service, for: .seconds(1)) { !catalog.current.isComplete }
    }

    /// Holds a service back while the clock is untrusted, because its work depends on dates.
    static func whileInDoubt(_ clock: any WallClock, _ service: any Service) -> HeldService {
        HeldService(service, for: .seconds(5)) { clock.doubt != nil }
    }

    /// Holds a service back while the store is known to have lost records.
    ///
    /// The service sends its work to other servers. They may have received the work already, or must not receive it
    /// before the operator has resolved the loss. Work in progress is still finished.
    static func whileRecordsAreLost(_ catalog: CatalogCache, _ service: any Service) -> HeldService {
        HeldService(service, for: .seconds(5), finishesAlways: true) { catalog.hasLostRecords }
    }

    /// Holds back the service that sends letters while a fault that only the operator can correct affects all letters.
    static func whilePaused(_ gate: MailGate, _ clock: any WallClock, _ service: any Service) -> HeldService {
        HeldService(service, for: .seconds(5), finishesAlways: true) { gate.isPaused(at: clock.now()) }
    }

    var name: String { service.name }
    var role: Role? { service.role }
    var alarm: String { service.alarm }
    var longestPause: Duration { service.longestPause }

    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        isHeld() ? .after(pause) : try await service.turn(as: leader)
    }

    func finish() async throws(ServerError) {
        if finishesAlways || !isHeld() { try await service.finish() }
    }
}
