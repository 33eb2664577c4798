public import TenureClient
import TenureCore

/// A play of a content, metered: the app's player tells what it renders, and is told whether it may go on.
///
/// ```swift
/// guard case .plays(let playback) = await library.play("lesson-1") else { return }
/// // each second, from the player's own clock:
/// if case .stops(let explanation) = await playback.rendered(seconds: 1) { player.stop() }
/// await playback.end()
/// ```
public final class ContentPlayback: Sendable {
    /// What is played.
    public let content: String
    /// What happens to it: an end that is near, a renewal, the end. For one listener.
    public let events: AsyncStream<PlayEvent>

    private let library: ContentLibrary
    private let license: ContentLicenseID

    init(_ content: String, _ license: ContentLicenseID, _ library: ContentLibrary, _ events: AsyncStream<PlayEvent>) {
        self.content = content
        self.license = license
        self.library = library
        self.events = events
    }

    /// Tells that the first picture is shown; also the first ``rendered(seconds:)`` does.
    @discardableResult
    public func shown() async -> PlayContinuation { await library.advance(license, rendered: 0) }

    /// Tells how many seconds of media were rendered since it was told last, at whatever speed. Tell it about once a
    /// second: what was not told is not written down, and a fall of the program loses it.
    @discardableResult
    public func rendered(seconds: Double) async -> PlayContinuation {
        await library.advance(license, rendered: Int64(max(0, min(seconds, 1e9)) * 1_000))
    }

    /// Holds it: nothing is charged until it goes on.
    public func pause() async { await library.pause(license) }

    /// Goes on with it.
    @discardableResult
    public func resume() async -> PlayContinuation { await library.resume(license) }

    /// Ends it. It may be gone on with, by another ``ContentLibrary/play(_:confirmed:)``, for as long as the license lets it.
    public func end() async { await library.end(license, because: nil) }
}

/// Whether a play may go on.
public enum PlayContinuation: Sendable, Hashable {
    /// It may.
    case goesOn
    /// It stops, and why.
    case stops(Explanation)
}

/// What happens to a play.
public enum PlayEvent: Sendable, Hashable {
    /// It stops in about so many seconds if nothing is done: told 5 min and 1 min before. It is being renewed, unless the
    /// person is to be asked before: then ask, and renew it `confirmed`.
    case endsSoon(seconds: Int)
    /// Its license was renewed behind it.
    case renewed
    /// It stopped, and why. The last that is told.
    case stopped(Explanation)
}

/// What came of wanting to play.
public enum PlayAnswer: Sendable {
    /// It plays.
    case plays(ContentPlayback)
    /// It has ended, and the vendor wants the person to be asked before it is renewed: ask, and play it `confirmed`.
    case asks(Explanation)
    /// It does not play: why, and what a person may do.
    case refused(Explanation, RecoveryOption)
}
