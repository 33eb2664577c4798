import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation

extension ContentLibrary {
    /// Reports use and renews what is due, at most every 15 minutes. Call it when the app becomes active.
    public func becameActive() async { await automatic.runInForeground() }

    /// Records for ``runs`` that the app asked the system for background time.
    public func backgroundAsked() { automatic.backgroundAsked() }

    /// Reports use and renews what is due, in background time that the system granted.
    ///
    /// The call returns when everything is done, or soon after its task is cancelled. Responses received by then are
    /// kept. Items that need the user's agreement are left for the next ``becameActive()``.
    public func runInBackground() async { await automatic.runInBackground() }

    /// When to wake the app for the next renewal or pending request; `nil` if nothing is planned.
    public var nextRunAt: Date? { automatic.nextRunAt.map(Date.init) }

    /// A record of a renewal run that started automatically.
    public struct Run: Sendable, Hashable {
        /// The trigger: `foreground`, `background` or `recovery`.
        public let occasion: String
        /// When the app or the library requested the run.
        public let askedAt: Date
        /// When the run started; `nil` if the system didn't allow it.
        public let ranAt: Date?
        /// When the run finished; `nil` if it was interrupted.
        public let finishedAt: Date?
    }

    /// The latest automatic renewal runs, latest last, for support.
    public var runs: [Run] {
        let date = { (time: Moment) in Date(time.timestamp) }
        return ledgerContents.runs.map {
            Run(
                occasion: $0.occasion, askedAt: date($0.askedAt), ranAt: $0.ranAt.map(date),
                finishedAt: $0.finishedAt.map(date))
        }
    }

    /// Whether any work is waiting for the network.
    ///
    /// Such work includes unreported use, a license to return or renew, a play that the user wanted, and a token past
    /// half its lifetime. The result is `false` after a refusal that waiting can't resolve, such as an expired token,
    /// until a sign-in or a later success.
    public var waitsForNetwork: Bool { automatic.waitsForNetwork }

    /// Retries pending work whenever the network returns, until the task is cancelled.
    ///
    /// While work is pending, it requests the server's time after random pauses that double from 2 seconds to 5
    /// minutes. Once a signed time arrives, it does the pending work. Captive portals, redirects and times with another
    /// nonce don't count as a response.
    public func watchNetwork() async { await automatic.watchNetwork() }

    /// Checks the server within 10 seconds; call it when the network may be back.
    public func networkMayBeBack() async { await automatic.networkMayBeBack() }
}
