import Synchronization

/// The beginning of an answer's body, as it comes.
final class Taken: Sendable {
    private struct State {
        var body: [UInt8] = []
        var isCut = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(_ limit: Int) { self.limit = limit }

    /// Takes what still fits; answers whether more is wanted.
    func take(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            let room = limit - state.body.count
            state.body += bytes.prefix(room)
            state.isCut = bytes.count > room
            return !state.isCut
        }
    }

    /// What was taken, and whether there was more.
    var whole: (body: [UInt8], isCut: Bool) { state.withLock { ($0.body, $0.isCut) } }
}
