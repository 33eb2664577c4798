import CMicrohttpd
import Synchronization
import TenureHTTP
import TenureThreads

/// Where a handler's task and the event thread meet, exactly once, in whichever order they come.
///
/// The connection is suspended and resumed under the lock and only in one move each, so it is resumed once if it was
/// suspended and never otherwise. A suspended connection cannot end before it is resumed; after that this object no
/// longer knows it. Hence nobody can resume a connection that is gone.
final class Completion: Sendable {
    private enum State {
        case running
        case suspended(SuspendedConnection, Task<Void, Never>)
        case done(Response)
        case taken
    }

    /// What the event thread does next.
    enum Claim {
        case answer(Response)
        case suspended
    }

    /// When the handler must have answered.
    let deadline: SteadyTime
    /// What is answered when it has not.
    let late: Rejection
    private let state = Mutex(State.running)

    /// Waits for the answer to a request.
    init(_ request: Request, deadline: SteadyTime) {
        self.deadline = deadline
        late = Rejection(status: 503, request: request, isHandled: true)
    }

    /// Brings an answer; all but the first are dropped. Answers whether a suspended connection was resumed.
    @discardableResult
    func finish(_ response: Response) -> Bool {
        state.withLock { state in
            switch state {
            case .running:
                state = .done(response)
                return false
            case .suspended(let connection, _):
                state = .done(response)
                connection.resume()
                return true
            case .done, .taken:
                return false
            }
        }
    }

    /// Takes the answer, or suspends the connection until there is one. Called by the event thread only.
    ///
    /// `willSuspend` may refuse, by bringing the answer itself.
    func claim(
        _ connection: OpaquePointer, task: Task<Void, Never>, willSuspend: (Completion) -> Response?
    ) -> Claim {
        state.withLock { state in
            switch state {
            case .running:
                if let refusal = willSuspend(self) {
                    state = .taken
                    return .answer(refusal)
                }
                state = .suspended(unsafe SuspendedConnection(suspending: connection), task)
                return .suspended
            case .done(let response):
                state = .taken
                return .answer(response)
            case .suspended, .taken:
                return .suspended
            }
        }
    }

    /// Takes the answer after the connection was resumed; nil when there is none to take.
    func take() -> Response? {
        state.withLock { state in
            guard case .done(let response) = state else { return nil }
            state = .taken
            return response
        }
    }

    /// Brings the answer in the handler's place and cancels the handler.
    func giveUp(_ response: Response) {
        let task: Task<Void, Never>? = state.withLock { state in
            if case .suspended(_, let task) = state { task } else { nil }
        }
        if finish(response) { task?.cancel() }
    }
}

/// A connection that libmicrohttpd has put aside.
///
/// Sendable without a check because it lives inside the lock of `Completion.state` only, and because the one thing
/// done with it, resuming, is what libmicrohttpd allows from any thread.
@safe struct SuspendedConnection: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(suspending pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        unsafe MHD_suspend_connection(pointer)
    }

    func resume() {
        unsafe MHD_resume_connection(pointer)
    }
}

/// The completions whose connections wait for their handlers.
final class SuspendedTable: Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: Completion] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a completion; false once the table is closed, and then its connection must not be suspended.
    func add(_ completion: Completion) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.waiting[ObjectIdentifier(completion)] = completion
            return true
        }
    }

    func remove(_ completion: Completion) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(completion)) }
    }

    /// Answers and forgets the completions that are past their deadline.
    func overdue(at now: SteadyTime) -> [Completion] {
        state.withLock { state in
            let overdue = state.waiting.filter { $0.value.deadline <= now }
            for key in overdue.keys { state.waiting[key] = nil }
            return Array(overdue.values)
        }
    }

    /// Lets no more in, and answers and forgets all who wait.
    func close() -> [Completion] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
    }
}
