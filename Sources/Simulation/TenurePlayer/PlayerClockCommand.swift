import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureFormats

enum PlayerClockCommand {
    private static let most = 4_000_000_000
    private static let ahead: Argument<Int?> = .optional(
        "ahead", "N", "Set the clock this many seconds ahead.", as: .int(in: 1...most))
    private static let behind: Argument<Int?> = .optional(
        "behind", "N", "Set the clock this many seconds behind.", as: .int(in: 1...most))
    private static let restart = Argument.flag(
        "restart",
        "Restart the player's device. Until then, the player knows how much time has passed despite a wrong clock.")

    static let command = Command(
        "clock", "Sets the player's own clock, and prints the time that it believes.",
        discussion: """
            Without --ahead or --behind, the clock is set right. The clocks of the server and of other players \
            don't change. The player corrects its time when it next connects.
            """,
        example: "tenure player clock phone --behind 864000 --restart",
        arguments: [PlayerOptions.folder, ahead, behind, restart, SharedOptions.json],
        output: OutputType.object([("clock", .moment), ("believed", .moment)])
    ) { arguments, console in
        guard arguments[ahead] == nil || arguments[behind] == nil else {
            throw UsageError("give --ahead or --behind, not both")
        }
        let folder = arguments[PlayerOptions.folder]
        var settings = try OpenPlayer.read(folder)
        let error = Int64((arguments[ahead] ?? 0) - (arguments[behind] ?? 0))
        settings.clockError = error == 0 ? nil : error
        if arguments[restart] { settings.restarts = (settings.restarts ?? 0) + 1 }
        // This throws before anything is changed if another program has the player open.
        _ = try OpenPlayer(folder: folder)
        try OpenPlayer.write(settings, folder)
        let player = try OpenPlayer(folder: folder)
        let believed = await player.library.now
        console.answer(
            "the clock shows \(player.now.local); the player believes \(believed.local)",
            asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("clock", player.now.description)
            body.member("believed", believed.description)
        }
        return .done
    }
}
