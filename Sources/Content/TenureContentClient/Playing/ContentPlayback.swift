public import TenureClient
import TenureCore

/// A metered play of a content item.
///
/// The app reports what its player renders. Each report returns whether the play may continue.
///
/// ```swift
/// guard case .plays(let playback) = await library.play("lesson-1") else { return }
/// // each second, from the player's own clock:
/// if case .stops(let explanation) = await playback.rendered(seconds: 1) { player.stop() }
/// await playback.end()
/// ```
public final class ContentPlayback: Sendable {
    /// The id of the content item that is playing.
    public let content: String
    /// The play's events: an approaching end, a renewal, the end.
    ///
    /// The stream supports one listener.
    public let events: AsyncStream<PlayEvent>

    private let library: ContentLibrary
    private let license: ContentLicenseID

    init(_ content: String, _ license: ContentLicenseID, _ library: ContentLibrary, _ events: AsyncStream<PlayEvent>) {
        self.content = content
        self.license = license
        self.library = library
        self.events = events
    }

    /// Reports that the first frame is shown.
    ///
    /// If the app doesn't call this, the first ``rendered(seconds:)`` has the same effect.
    @discardableResult
    public func shown() async -> PlayContinuation { await library.advance(license, rendered: 0) }

    /// Reports the seconds of media rendered since the last report, at any speed.
    ///
    /// Report about once a second, because a crash loses unreported use.
    @discardableResult
    public func rendered(seconds: Double) async -> PlayContinuation {
        await library.advance(license, rendered: Int64(max(0, min(seconds, 1e9)) * 1_000))
    }

    /// Pauses the play.
    ///
    /// Nothing is charged until the play resumes.
    public func pause() async { await library.pause(license) }

    /// Resumes a paused play and returns whether it may continue.
    @discardableResult
    public func resume() async -> PlayContinuation { await library.resume(license) }

    /// Ends the play.
    ///
    /// A later ``ContentLibrary/play(_:confirmed:)`` resumes it without counting another play, within the time that the
    /// license allows.
    public func end() async { await library.end(license) }
}

/// Whether a play may continue after a report.
public enum PlayContinuation: Sendable, Hashable {
    /// The play may continue; report again in about a second.
    case goesOn
    /// The play must stop, with the reason.
    case stops(Explanation)
}

/// An event of a running play.
public enum PlayEvent: Sendable, Hashable {
    /// The play stops in about this many seconds unless the license is renewed.
    ///
    /// Usually sent 5 minutes and 1 minute before the end. The library renews the license during the play, unless the
    /// user must agree first. In that case, ask the user, then call ``ContentLibrary/renew(_:confirmed:)`` with
    /// `confirmed: true`.
    case endsSoon(seconds: Int)
    /// The license was renewed during the play, which continues under the new version.
    case renewed
    /// The play stopped, with the reason.
    ///
    /// This is the last event.
    case stopped(Explanation)
}

/// The result of starting a play.
public enum PlayAnswer: Sendable {
    /// The play started; report its progress to the value.
    case plays(ContentPlayback)
    /// The license needs a renewal, and the user must agree to it.
    ///
    /// Ask the user, then call ``ContentLibrary/play(_:confirmed:)`` again with `confirmed: true`.
    case asks(Explanation)
    /// The item can't be played, with the reasons and what the user can do.
    case refused(Explanation, RecoveryOption)
}
