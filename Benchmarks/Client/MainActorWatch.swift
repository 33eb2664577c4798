import Dispatch
import Foundation
import Glibc

/// Times all work on the main actor: each job of the concurrency runtime, from its start until it ends or suspends.
///
/// On Linux, the main actor is libdispatch's main queue, to which the runtime adds its jobs with `dispatch_async_f`.
/// The function of that name below replaces the library's. It forwards every call, and times each job for the main
/// queue. No job is missed, because nothing is sampled.
///
/// `@unchecked`: the mutable state is `longest`, guarded by `lock`.
final class MainActorWatch: @unchecked Sendable {
    /// The longest job, in microseconds.
    struct Longest {
        /// Wall-clock time, including I/O and waiting for a processor.
        var wall = 0.0
        /// CPU time of the thread.
        var processor = 0.0
    }

    static let shared = MainActorWatch()

    private let lock = NSLock()
    private var longest = Longest()

    /// Returns the longest job since the last call, including jobs that are queued now.
    func take() async -> Longest {
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        return lock.withLock {
            defer { longest = Longest() }
            return longest
        }
    }

    fileprivate func time(_ job: () -> Void) {
        let wall = Self.read(CLOCK_MONOTONIC)
        let processor = Self.read(CLOCK_THREAD_CPUTIME_ID)
        job()
        let used = Self.read(CLOCK_THREAD_CPUTIME_ID) - processor
        let passed = Self.read(CLOCK_MONOTONIC) - wall
        lock.withLock {
            longest.wall = max(longest.wall, passed)
            longest.processor = max(longest.processor, used)
        }
    }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
    }
}

private typealias Work = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias Put = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?, Work) -> Void

/// A job for the main queue.
private final class Job {
    let context: UnsafeMutableRawPointer?
    let work: Work

    init(_ context: UnsafeMutableRawPointer?, _ work: @escaping Work) {
        self.context = context
        self.work = work
    }
}

/// libdispatch's `dispatch_async_f`.
private let put: Put = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
    guard let function = dlsym(next, "dispatch_async_f") else { fail("bench-client: there is no libdispatch") }
    return unsafeBitCast(function, to: Put.self)
}()

private nonisolated(unsafe) let mainQueue = dlsym(nil, "_dispatch_main_q")

/// Replaces libdispatch's function.
@_cdecl("dispatch_async_f")
public func putTimed(
    _ queue: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer?,
    _ work: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) {
    guard queue == mainQueue else { return put(queue, context, work) }
    put(queue, Unmanaged.passRetained(Job(context, work)).toOpaque()) { pointer in
        guard let pointer else { return }
        let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
        MainActorWatch.shared.time { job.work(job.context) }
    }
}
