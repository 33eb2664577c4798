import Synchronization
package import TenureCore

/// Limits how often each name acts, in one or several windows.
///
/// A request is admitted as long as a bound isn't reached, however many actions it consists of, so that a large request
/// isn't refused forever. Each server process counts separately.
package final class ActionRate<Name: Hashable & Sendable>: Sendable {
    /// The maximum number of actions of each name in a window, and the window's length in seconds.
    package struct Bound: Sendable {
        let count: Int
        let window: Int64

        package init(_ count: Int, perSeconds window: Int64) {
            self.count = count
            self.window = window
        }
    }

    private let bounds: [Bound]
    private let windows: Mutex<[WindowCounter<Name>]>

    /// Creates a limit without counts.
    ///
    /// - Parameter capacity: How many names are remembered in each window.
    package init(_ bounds: Bound..., capacity: Int = 50_000) {
        self.bounds = bounds
        windows = Mutex(bounds.map { WindowCounter(window: $0.window, capacity: capacity) })
    }

    /// Counts actions and returns `nil`, or returns how many seconds the name must wait.
    package func take(_ name: Name, _ count: Int = 1, at now: Timestamp) -> Int64? {
        windows.withLock { windows in
            if let wait = secondsLeft(name, in: windows, at: now) { return wait }
            for index in windows.indices { windows[index].add(name, count, at: now) }
            return nil
        }
    }

    /// How many seconds the name must wait; `nil` if it may act now.
    package func wait(_ name: Name, at now: Timestamp) -> Int64? {
        windows.withLock { secondsLeft(name, in: $0, at: now) }
    }

    /// Counts actions, even beyond a bound.
    package func count(_ name: Name, _ count: Int, at now: Timestamp) {
        windows.withLock { windows in
            for index in windows.indices { windows[index].add(name, count, at: now) }
        }
    }

    private func secondsLeft(_ name: Name, in windows: [WindowCounter<Name>], at now: Timestamp) -> Int64? {
        zip(bounds, windows).compactMap { bound, window in
            window.count(of: name, at: now) >= bound.count ? window.secondsLeft(of: name, at: now) : nil
        }.max()
    }
}
