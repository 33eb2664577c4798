import Synchronization
package import TenureCore

/// Limits how often each name acts, in one or several time windows.
///
/// A request is admitted as long as no limit is reached, however many actions the request consists of. Otherwise, a
/// large request would be refused forever. Each server process counts separately.
package final class ActionRate<Name: Hashable & Sendable>: Sendable {
    /// The maximum number of actions of a name in a window, and the window's length in seconds.
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
    /// - Parameter capacity: The maximum number of names that are stored for each window.
    package init(_ bounds: Bound..., capacity: Int = 50_000) {
        self.bounds = bounds
        windows = Mutex(bounds.map { WindowCounter(window: $0.window, capacity: capacity) })
    }

    /// Counts the actions and returns `nil`. If a limit is reached, returns the seconds that the name must wait
    /// instead.
    package func take(_ name: Name, _ count: Int = 1, at now: Timestamp) -> Int64? {
        windows.withLock { windows in
            if let wait = secondsLeft(name, in: windows, at: now) { return wait }
            for index in windows.indices { windows[index].add(name, count, at: now) }
            return nil
        }
    }

    /// The seconds that the name must wait; `nil` if it may act now.
    package func wait(_ name: Name, at now: Timestamp) -> Int64? {
        windows.withLock { secondsLeft(name, in: $0, at: now) }
    }

    /// Counts the actions, even beyond a limit.
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
