import Glibc
import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureFormats

/// The commands `tenure player play` and `tenure player crash`.
enum PlayerPlayCommand {
    private static let seconds = Argument.option(
        "seconds", "N", "How many seconds to play.", as: .int(in: 0...1_000_000), default: 60)
    private static let speed = Argument.option(
        "speed", "PERCENT", "The playback speed in percent.", as: .int(in: 10...1_000), default: 100)
    private static let fast = Argument.flag("fast", "Move the clock file instead of waiting.")
    private static let confirmed = Argument.flag("confirmed", "The user has confirmed, if the vendor requires that.")

    static let command = Command(
        "play", "Plays a content, in real time or fast, and records the usage.",
        discussion: """
            Exits with 1 if it does not play, or stops early. The usage stays in the player's folder until a renewal \
            reports it: `tenure player renew`, or a play that renews.
            """,
        example: "tenure player play phone lesson-1 --seconds 600 --fast",
        arguments: [
            PlayerOptions.folder, PlayerOptions.content, seconds, speed, fast, confirmed, SharedOptions.json,
        ],
        output: PlayerOutputs.played
    ) { arguments, console in
        let player = try OpenPlayer(folder: arguments[PlayerOptions.folder], isFast: arguments[fast])
        let asJSON = arguments[SharedOptions.json]
        let content = arguments[PlayerOptions.content]
        switch await player.library.play(content, confirmed: arguments[confirmed]) {
        case .asks(let why):
            console.answer(
                "\(why.message.withLocalDates.printable) Add --confirmed to renew and play it.", asJSON: asJSON
            ) { body in
                body.member("outcome", "asks")
                body.refused(content, why)
            }
            return .failed
        case .refused(let why, let option):
            return refuse(content, why, option, console, asJSON: asJSON)
        case .plays(let playback):
            let (played, why) = try await watch(
                playback, player, seconds: arguments[seconds], speed: arguments[speed], isFast: arguments[fast], console
            )
            await playback.end()
            let left = await player.library.content(content)
            let words =
                "played \(played) s" + (why.map { ", and stopped: \($0.message.withLocalDates.printable)" } ?? "")
            console.answer(words, asJSON: asJSON) { body in
                body.member("outcome", why == nil ? "played" : "stopped")
                body.member("played", played)
                body.member("playsLeft", left?.playsLeft)
                body.member("secondsLeft", left?.secondsLeft)
                body.member("code", why?.reasons.first?.code)
            }
            return why == nil ? .done : .failed
        }
    }

    static let crash = Command(
        "crash", "Plays a content fast, and crashes while playing.",
        discussion: "Ends by signal 9. At most the last 5 s of play time are lost, and no play is.",
        example: "tenure player crash phone lesson-1 --seconds 33",
        arguments: [PlayerOptions.folder, PlayerOptions.content, seconds, SharedOptions.json],
        output: PlayerOutputs.notPlayed
    ) { arguments, console in
        let player = try OpenPlayer(folder: arguments[PlayerOptions.folder], isFast: true)
        let content = arguments[PlayerOptions.content]
        switch await player.library.play(content, confirmed: true) {
        case .asks(let why): return refuse(content, why, .retry, console, asJSON: arguments[SharedOptions.json])
        case .refused(let why, let option):
            return refuse(content, why, option, console, asJSON: arguments[SharedOptions.json])
        case .plays(let playback):
            _ = try await watch(playback, player, seconds: arguments[seconds], speed: 100, isFast: true, console)
            kill(getpid(), SIGKILL)
            return .failed
        }
    }

    /// Plays for some seconds; returns the number of seconds played, and the reason if the playback had to stop early.
    ///
    /// The function must not be inlined: with optimization, the Swift 6.3.1 compiler fails on `crash` if the function
    /// is inlined before the call of `kill`.
    @inline(never) private static func watch(
        _ playback: ContentPlayback, _ player: OpenPlayer, seconds: Int, speed: Int, isFast: Bool, _ console: Console
    ) async throws -> (Int, Explanation?) {
        let bar = console.progress(playback.content, total: seconds)
        if case .stops(let why) = await playback.shown() { return (0, why) }
        for second in 0..<seconds {
            try await player.pass(1, isFast: isFast)
            if case .stops(let why) = await playback.rendered(seconds: Double(speed) / 100) {
                bar.finish()
                return (second + 1, why)
            }
            bar.advance()
        }
        bar.finish()
        return (seconds, nil)
    }

    private static func refuse(
        _ content: String, _ why: Explanation, _ option: RecoveryOption, _ console: Console, asJSON: Bool
    ) -> ExitCode {
        if asJSON {
            console.answer { body in
                body.member("outcome", "refused")
                body.member("recovery", option.rawValue)
                body.choices(option.choices)
                body.refused(content, why)
            }
        } else {
            console.answer(lines: why.reasons.map { "\($0.code)  \($0.message) \($0.cure)".withLocalDates })
            let buttons = option.choices.map { "[\($0.label())]" }.joined(separator: " ")
            console.answer("\(option.message()) \(buttons)")
            console.answer(lines: option.choices.filter { !$0.helps }.map { "\($0.label()): \($0.message())" })
        }
        return .failed
    }
}
