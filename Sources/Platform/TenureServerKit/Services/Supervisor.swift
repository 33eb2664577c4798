import Synchronization
package import TenureStore
import TenureThreads

/// Runs services: starts them in order, runs their turns, and stops them in reverse order.
///
/// After a failed turn, a service pauses for a second. The pause doubles with each further failure, up to the
/// service's longest pause.
///
/// If a service has a role, only the server that has the role runs the service. The other servers request the role
/// every two seconds, so one of them takes over soon after the leader dies.
public final class Supervisor: Sendable {
    private let services: [any Service]
    private let lead: @Sendable (Role) async -> LeaderTerm?
    private let clock: any SteadyClock
    private let thread = ServiceThread()
    private let log: any Log
    private let watches: Mutex<[ServiceWatch]>
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Creates a supervisor without starting the services.
    ///
    /// - Parameter clock: Measures the pauses; `nil` for the clock of the services' thread.
    /// - Parameter lead: Returns the term in which this server has a role; `nil` if this server doesn't have the role.
    package init(
        _ services: [any Service], clock: (any SteadyClock)? = nil, log: any Log,
        lead: @escaping @Sendable (Role) async -> LeaderTerm?
    ) {
        self.services = services
        self.lead = lead
        self.clock = clock ?? thread
        self.log = log
        watches = Mutex(services.map { service in ServiceWatch(name: service.name) })
    }

    /// The current states of the services, in starting order.
    package var states: [ServiceWatch] { watches.withLock { $0 } }

    /// Starts the services and their thread. Further calls do nothing.
    ///
    /// - Throws: ``ServerError`` if the system can't create the thread.
    public func start() throws(ServerError) {
        try tasks.withLock { tasks throws(ServerError) in
            guard tasks.isEmpty else { return }
            do throws(ThreadError) {
                try thread.start()
            } catch {
                throw ServerError(.init("no_threads"), error.description, cause: error.cause)
            }
            tasks = services.indices.map { index in Task(executorPreference: thread) { await self.run(index) } }
        }
    }

    /// Stops the services in reverse order. Each service completes its current turn and then ``Service/finish()``.
    ///
    /// - Parameter time: The time limit per service. A service that exceeds the limit keeps running.
    /// - Returns: Whether every service has ended.
    @discardableResult
    public func stop(within time: Duration) async -> Bool {
        let tasks = tasks.withLock { $0 }
        var areAllOver = true
        for index in tasks.indices.reversed() {
            tasks[index].cancel()
            if await !hasEnded(tasks[index], by: clock.now().advanced(by: time)) {
                areAllOver = false
                log.write(LogLine(.warning, "service_not_ended", [("service", .text(services[index].name))]))
            }
        }
        if areAllOver { thread.close() }
        return areAllOver
    }

    private func run(_ index: Int) async {
        let service = services[index]
        while !Task.isCancelled {
            var term: LeaderTerm?
            if let role = service.role {
                term = await lead(role)
                if term == nil {
                    note(index) { watch in watch.waitForRole() }
                    await rest(Self.timeout)
                    continue
                }
            }
            do throws(ServerError) {
                let next = try await service.turn(as: term)
                note(index) { watch in watch.turnSucceeded() }
                switch next {
                case .after(let pause): await rest(pause)
                // The services share a thread, and a turn that only reads may never suspend. So this lets the other
                // services run.
                case .atOnce: await Task.yield()
                }
            } catch {
                await rest(failed(index, error))
            }
        }
        do throws(ServerError) { try await service.finish() } catch { _ = failed(index, error) }
    }

    /// Counts and logs a failed turn. Returns the length of the pause.
    private func failed(_ index: Int, _ error: ServerError) -> Duration {
        let pause = min(note(index) { watch in watch.turnFailed(error.code) }, services[index].longestPause)
        log.write(LogLine(.warning, services[index].alarm, [("error", .text(error.description))]))
        return pause
    }

    private func note<Result: Sendable>(_ index: Int, _ change: (inout ServiceWatch) -> Result) -> Result {
        watches.withLock { watches in change(&watches[index]) }
    }

    private func rest(_ pause: Duration) async { await clock.sleep(until: clock.now().advanced(by: pause)) }

    private func hasEnded(_ task: Task<Void, Never>, by deadline: SteadyTime) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
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

    private static let timeout = Duration.seconds(2)
}

/// Resumes a continuation with the first of several results, and ignores the other results.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

    func give(_ answer: Bool) {
        let continuation = continuation.withLock { caller in
            defer { caller = nil }
            return caller
        }
        continuation?.resume(returning: answer)
    }
}
