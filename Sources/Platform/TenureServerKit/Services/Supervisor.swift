import Synchronization
package import TenureStore
import TenureThreads

/// Runs services: starts them in order, runs their turns and stops them in reverse order.
///
/// After a failed turn, it pauses for a second, and after each further failure twice as long, up to the service's
/// longest pause.
///
/// If a service has a role, only the server with that role runs it. The other servers request the role every two
/// seconds, so one of them takes over soon after the leader dies.
public final class Supervisor: Sendable {
    private let services: [any Service]
    private let lead: @Sendable (Role) async -> LeaderTerm?
    private let clock: any SteadyClock
    private let log: any Log
    private let watches: Mutex<[ServiceWatch]>
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Creates a supervisor; the services aren't started yet.
    ///
    /// - Parameter lead: Returns the term in which this server has a role; `nil` if it doesn't have that role.
    package init(
        _ services: [any Service], clock: any SteadyClock = SystemSteadyClock(), log: any Log,
        lead: @escaping @Sendable (Role) async -> LeaderTerm?
    ) {
        self.services = services
        self.lead = lead
        self.clock = clock
        self.log = log
        watches = Mutex(services.map { service in ServiceWatch(name: service.name) })
    }

    /// The current state of each service, in starting order.
    package var states: [ServiceWatch] { watches.withLock { $0 } }

    /// Starts the services; further calls do nothing.
    public func start() {
        tasks.withLock { tasks in
            guard tasks.isEmpty else { return }
            tasks = services.indices.map { place in Task { await run(place) } }
        }
    }

    /// Stops the services in reverse order; each one completes its current turn and then ``Service/finish()``.
    ///
    /// - Parameter time: The time limit per service; a service that exceeds it is left running.
    /// - Returns: Whether all services have ended.
    @discardableResult
    public func stop(within time: Duration) async -> Bool {
        let tasks = tasks.withLock { $0 }
        var areAllOver = true
        for place in tasks.indices.reversed() {
            tasks[place].cancel()
            if await !hasEnded(tasks[place], by: clock.now().advanced(by: time)) {
                areAllOver = false
                log.write(LogLine(.warning, "service_not_ended", [("service", .text(services[place].name))]))
            }
        }
        return areAllOver
    }

    private func run(_ place: Int) async {
        let service = services[place]
        while !Task.isCancelled {
            var term: LeaderTerm?
            if let role = service.role {
                term = await lead(role)
                if term == nil {
                    note(place) { watch in watch.waitForRole() }
                    await rest(Self.patience)
                    continue
                }
            }
            do throws(ServerError) {
                let next = try await service.turn(as: term)
                note(place) { watch in watch.turnSucceeded() }
                if case .after(let pause) = next { await rest(pause) }
            } catch {
                await rest(failed(place, error))
            }
        }
        do throws(ServerError) { try await service.finish() } catch { _ = failed(place, error) }
    }

    /// Counts and logs a failed turn; returns how long to pause.
    private func failed(_ place: Int, _ error: ServerError) -> Duration {
        let pause = min(note(place) { watch in watch.turnFailed(error.code) }, services[place].longestPause)
        log.write(LogLine(.warning, services[place].alarm, [("error", .text(error.description))]))
        return pause
    }

    private func note<Result: Sendable>(_ place: Int, _ change: (inout ServiceWatch) -> Result) -> Result {
        watches.withLock { watches in change(&watches[place]) }
    }

    private func rest(_ pause: Duration) async { await clock.sleep(until: clock.now().advanced(by: pause)) }

    private func hasEnded(_ task: Task<Void, Never>, by deadline: SteadyTime) async -> Bool {
        await withCheckedContinuation { caller in
            let answer = FirstAnswer(caller)
            let timer = Task { [clock] in
                await clock.sleep(until: deadline)
                answer.give(false)
            }
            Task {
                await task.value
                answer.give(true)
                timer.cancel()
            }
        }
    }

    private static let patience = Duration.seconds(2)
}

/// Resumes a continuation with the first of several results and ignores the others.
private final class FirstAnswer: Sendable {
    private let caller: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ caller: CheckedContinuation<Bool, Never>) { self.caller = Mutex(caller) }

    func give(_ answer: Bool) {
        let caller = caller.withLock { caller in
            defer { caller = nil }
            return caller
        }
        caller?.resume(returning: answer)
    }
}
