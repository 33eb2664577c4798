import CMicrohttpd
import Synchronization
import TenureHTTP
import TenureThreads

/// Passes a response from the handler's task to the event thread exactly once, whichever of the two arrives first.
///
/// The connection is suspended and resumed under the lock, each in a single state change. It's therefore resumed
/// exactly once if it was suspended, and never otherwise. A suspended connection can't end before it's resumed, and
/// resuming drops this object's reference to it. A closed connection is therefore never resumed.
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

    /// When the handler must have responded.
    let deadline: SteadyTime
    /// The rejection to respond with if the handler misses the deadline.
    let late: Rejection
    private let state = Mutex(State.running)

    /// Creates a completion that waits for the response to a request.
    init(_ request: Request, deadline: SteadyTime) {
        self.deadline = deadline
        late = Rejection(status: 503, request: request, isHandled: true)
    }

    /// Delivers a response; all but the first are dropped.
    ///
    /// Returns whether a suspended connection was resumed.
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

    /// Takes the response, or suspends the connection until there is one; only called by the event thread.
    ///
    /// `willSuspend` may prevent the suspension by returning a response.
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

    /// Takes the response after the connection was resumed; returns `nil` if no response is ready.
    func take() -> Response? {
        state.withLock { state in
            guard case .done(let response) = state else { return nil }
            state = .taken
            return response
        }
    }

    /// Delivers a response in place of the handler's and cancels the handler.
    func giveUp(_ response: Response) {
        let task: Task<Void, Never>? = state.withLock { state in
            if case .suspended(_, let task) = state { task } else { nil }
        }
        if finish(response) { task?.cancel() }
    }
}

/// A connection that libmicrohttpd has suspended.
///
/// It's `@unchecked Sendable` because it exists only inside the lock of `Completion.state`. Its only operation,
/// resuming, is one that libmicrohttpd allows from any thread.
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

    /// Adds a completion; returns `false` once the table is closed, and then its connection must not be suspended.
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

    /// Removes and returns the completions that are past their deadline.
    func overdue(at now: SteadyTime) -> [Completion] {
        state.withLock { state in
            let overdue = state.waiting.filter { $0.value.deadline <= now }
            for key in overdue.keys { state.waiting[key] = nil }
            return Array(overdue.values)
        }
    }

    /// Closes the table, and removes and returns all completions.
    func close() -> [Completion] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
    }
}
