import FoundationEssentials
import TenureClient
package import TenureCommandLine
import TenureContentClient
import TenureCore
import TenureCrypto
import TenureFormats

package enum PlayerCommands {
    package static let group = CommandGroup(
        "player", "Simulates a phone that keeps contents offline, plays and renews them.",
        discussion: """
            A simulated player, kept in its own folder, that uses the same client as apps. Give it and the server \
            the same --clock FILE to share a calendar, which 'player play --fast' moves forward.
            """,
        example: """
            tenure player new phone --server http://127.0.0.1:8080 --tenant acme --holder mia --clock clock
            tenure player sign-in phone --token-file token
            tenure player add phone --all
            tenure player play phone lesson-1 --seconds 600 --fast
            """,
        commands: [
            PlayerNewCommand.command, PlayerSignInCommand.command, PlayerAddCommand.command,
            PlayerListCommand.command, PlayerPlayCommand.command, PlayerPlayCommand.crash,
            PlayerRenewCommand.command, PlayerPlaneCommand.command, PlayerNetCommand.command,
            PlayerClockCommand.command,
        ])
}

enum PlayerNewCommand {
    private static let server = Argument.required("server", "URL", "The server's address.", as: .text)
    private static let tenant = Argument.required("tenant", "TENANT", "The tenant of the contents.", as: .text)
    private static let holder = Argument.required("holder", "HOLDER", "The person who keeps the contents.", as: .text)
    private static let key: Argument<[String]> = .repeated(
        "key", "KID=BASE64", "A signing key to trust; default: the keys in the server's keyset.", as: .text)

    static let command = Command(
        "new", "Creates a player in a new folder, and prints the device id for its token.",
        example: "tenure player new phone --server http://127.0.0.1:8080 --tenant acme --holder mia --clock clock",
        arguments: [PlayerOptions.folder, server, tenant, holder, key, SharedOptions.clock, SharedOptions.json],
        output: OutputType.object([("folder", .text), ("holder", .text), ("device", .text)])
    ) { arguments, console in
        let folder = arguments[PlayerOptions.folder]
        guard !FileManager.default.fileExists(atPath: "\(folder)/player.json") else {
            throw CommandError("There is already a player in \(folder). Choose a new folder.")
        }
        var keys: [String: String] = [:]
        for text in arguments[key] {
            let parts = text.split(atByte: "=", maxSplits: 1)
            guard parts.count == 2 else { throw UsageError("--key: enter KID=BASE64") }
            keys[String(parts[0])] = String(parts[1])
        }
        _ = try OpenPlayer.pinned(keys)
        let settings = PlayerSettings(
            server: arguments[server], tenant: arguments[tenant], holder: arguments[holder],
            identifier: Hex.encode(SecureRandom.bytes(16)),
            clockFile: arguments[SharedOptions.clock].map(RememberedPath.absolute), keys: keys)
        let device = try OpenPlayer.device(settings)
        if let path = settings.clockFile { _ = try VirtualClock(path: path) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try OpenPlayer.write(settings, folder)
        console.answer(
            "created a player for \(settings.holder) in \(folder); its device id is \(device)",
            asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("folder", folder)
            body.member("holder", settings.holder)
            body.member("device", device)
        }
        return .done
    }
}

enum PlayerSignInCommand {
    private static let tokenFile = Argument.required(
        "token-file", "FILE", "A file with the holder's token for this device.", as: .text)

    static let command = Command(
        "sign-in", "Signs in with the holder's token.",
        example: "tenure player sign-in phone --token-file token",
        arguments: [PlayerOptions.folder, tokenFile, SharedOptions.json],
        output: OutputType.object([("holder", .text)])
    ) { arguments, console in
        let player = try OpenPlayer(arguments)
        try await player.library.signIn(token: try TokenFile.read(arguments[tokenFile]))
        let holder = player.settings.holder
        console.answer("\(holder.printable) is signed in", asJSON: arguments[SharedOptions.json]) {
            $0.member("holder", holder)
        }
        return .done
    }
}

enum PlayerAddCommand {
    private static let all = Argument.flag("all", "Add everything that the holder may keep.")

    static let command = Command(
        "add", "Gets licenses for contents.", example: "tenure player add phone --all",
        arguments: [PlayerOptions.folder, PlayerOptions.contents, all, SharedOptions.json],
        output: PlayerOutputs.added
    ) { arguments, console in
        let player = try OpenPlayer(arguments)
        var failed: [(String, Explanation)] = []
        if case .unreached(let why) = await player.library.refresh() { failed.append(("-", why)) }
        let listed = await player.library.contents().filter { $0.status == .notKept }.map(\.id)
        let requestedItems = arguments[all] ? listed : arguments[PlayerOptions.contents]
        for content in requestedItems where failed.isEmpty || failed[0].0 != "-" {
            switch await player.library.add(content) {
            case .done: if !arguments[SharedOptions.json] { console.answer("\(content)  kept") }
            case .refused(let why, _), .unreached(let why):
                failed.append((content, why))
                if !arguments[SharedOptions.json] {
                    console.answer("\(content)  \(why.message.withLocalDates.printable)")
                }
            }
        }
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.member("asked", requestedItems)
                body.array("refused") { list in
                    for (content, why) in failed { list.object { $0.refused(content, why) } }
                }
            }
        } else if failed.first?.0 == "-" {
            console.fail(failed[0].1.message.withLocalDates.printable)
        }
        return failed.isEmpty ? .done : .failed
    }
}

enum PlayerNetCommand {
    private static let state = Argument.positional(
        "STATE", "`on`, `off`, or `portal` (a network with a sign-in page).",
        as: .choice(of: PlayerSettings.Network.self))

    static let command = Command(
        "net", "Switches the player's network, and does what was waiting for it.",
        example: "tenure player net phone off",
        arguments: [PlayerOptions.folder, state, SharedOptions.json],
        output: OutputType.object([
            ("network", .text), ("waited", .boolean), ("recovered", .boolean),
        ])
    ) { arguments, console in
        let folder = arguments[PlayerOptions.folder]
        var settings = try OpenPlayer.read(folder)
        settings.network = arguments[state]
        try OpenPlayer.write(settings, folder)
        let player = try OpenPlayer(folder: folder)
        let waited = await player.library.waitsForNetwork
        let before = await player.library.runs.count
        await player.library.networkMayBeBack()
        let ran = await player.library.runs.count > before
        let words = !waited ? "nothing was waiting for it" : ran ? "waiting work was done" : "work is still waiting"
        console.answer(
            "the network is \(settings.network.rawValue); \(words)", asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("network", settings.network.rawValue)
            body.member("waited", waited)
            body.member("recovered", ran)
        }
        return .done
    }
}

extension JSONObjectWriter {
    /// Writes the member `choices`: the user's options, most helpful first.
    mutating func choices(_ choices: [RecoveryChoice]) {
        array("choices") { list in
            for choice in choices {
                list.object {
                    $0.member("option", choice.option.rawValue)
                    $0.member("helps", choice.helps)
                }
            }
        }
    }

    /// Writes the id of a content item that was refused, and the reasons.
    mutating func refused(_ content: String, _ why: Explanation) {
        member("content", content)
        reasons(why.decided, code: why.reasons[0].code)
    }
}
