import TenureClient
import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureFormats

/// The command `tenure player clock`.
enum PlayerClockCommand {
    private static let most = 4_000_000_000
    private static let ahead: Argument<Int?> = .optional(
        "ahead", "N", "Sets it so many seconds ahead.", as: .int(in: 1...most))
    private static let behind: Argument<Int?> = .optional(
        "behind", "N", "Sets it so many seconds behind.", as: .int(in: 1...most))
    private static let restart = Argument.flag(
        "restart", "Restarts the player as a whole: until then it knows what time passed, whatever its clock says.")

    static let command = Command(
        "clock", "Sets the player's own clock by hand, wrong or right, and tells what time it believes.",
        discussion: """
            Without --ahead and --behind it is set right. The server's time and that of other players stay as they are. \
            A connection cures what a wrong clock does.
            """,
        example: "tenure player clock phone --behind 864000 --restart",
        arguments: [PlayerOptions.folder, ahead, behind, restart, SharedOptions.json]
    ) { arguments, console in
        guard arguments[ahead] == nil || arguments[behind] == nil else {
            throw UsageError("write --ahead or --behind, not both")
        }
        let folder = arguments[PlayerOptions.folder]
        var settings = try OpenPlayer.read(folder)
        let error = Int64((arguments[ahead] ?? 0) - (arguments[behind] ?? 0))
        settings.clockError = error == 0 ? nil : error
        if arguments[restart] { settings.restarts = (settings.restarts ?? 0) + 1 }
        // If another program has the player open, this throws before anything is changed.
        _ = try OpenPlayer(folder: folder)
        try OpenPlayer.write(settings, folder)
        let player = try OpenPlayer(folder: folder)
        let believed = await player.library.now
        console.answer(
            "its clock says \(player.now); it believes \(believed)", asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("clock", player.now.description)
            body.member("believed", believed.description)
        }
        return .done
    }
}
