import Synchronization

/// Collects the beginning of a response's body, up to a limit.
final class Taken: Sendable {
    private struct State {
        var body: [UInt8] = []
        var isCut = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(_ limit: Int) { self.limit = limit }

    /// Adds bytes up to the limit; returns false once the body exceeds the limit.
    func take(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            let room = limit - state.body.count
            state.body += bytes.prefix(room)
            state.isCut = bytes.count > room
            return !state.isCut
        }
    }

    /// The bytes so far, and whether the body exceeded the limit.
    var whole: (body: [UInt8], isCut: Bool) { state.withLock { ($0.body, $0.isCut) } }
}
