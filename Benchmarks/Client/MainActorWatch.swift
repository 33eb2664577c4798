import Dispatch
import Foundation
import Glibc

/// Times all work on the main actor: each job that the concurrency runtime gives it, from its start until it ends or
/// suspends.
///
/// On Linux the main actor is libdispatch's main queue, and the runtime puts its jobs there with `dispatch_async_f`.
/// The function of that name below is found first; it passes everything on, and has what is for the main queue run
/// between two looks at the clocks. Nothing is sampled, so no stretch is missed.
///
/// `@unchecked`: what changes is `longest`, behind `lock`.
final class MainActorWatch: @unchecked Sendable {
    /// Of all jobs the longest, in microseconds.
    struct Longest {
        /// By the clock on the wall: reading, writing and waiting for a processor are in it.
        var wall = 0.0
        /// Of the processor, as charged to the thread.
        var processor = 0.0
    }

    static let shared = MainActorWatch()

    private let lock = NSLock()
    private var longest = Longest()

    /// What there was since the last call, up to jobs that are waiting now.
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

/// What is put on the main queue.
private final class Job {
    let context: UnsafeMutableRawPointer?
    let work: Work

    init(_ context: UnsafeMutableRawPointer?, _ work: @escaping Work) {
        self.context = context
        self.work = work
    }
}

/// libdispatch's.
private let put: Put = {
    let next = UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
    guard let function = dlsym(next, "dispatch_async_f") else { fail("bench-client: there is no libdispatch") }
    return unsafeBitCast(function, to: Put.self)
}()

private nonisolated(unsafe) let mainQueue = dlsym(nil, "_dispatch_main_q")

/// In front of libdispatch's.
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
