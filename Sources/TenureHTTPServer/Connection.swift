import Synchronization
import TenureThreads

/// One open connection as the sweep sees it: its descriptor, and when to cut it off.
final class Connection: Sendable {
    let descriptor: Int32
    private let cut: Atomic<UInt64>

    init(descriptor: Int32, cutAt: SteadyTime) {
        self.descriptor = descriptor
        cut = Atomic(cutAt.nanoseconds)
    }

    /// When the client must have sent what it is sending; `never` while the server is at work.
    var cutAt: SteadyTime {
        get { SteadyTime(nanoseconds: cut.load(ordering: .relaxed)) }
        set { cut.store(newValue.nanoseconds, ordering: .relaxed) }
    }
}
