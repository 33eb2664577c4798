import TenureCommandLine
import TenureFormats
import TenureStore

/// The command group `tenure master-key`.
enum MasterKeyCommands {
    private static let newKeyFile = Argument.required(
        "new-key-file", "FILE", "The file of the new key; created if it doesn't exist.", as: .text)

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "master-key", "Changes the master key.",
            example: "tenure master-key rotate --new-key-file new.key", commands: [rotate(installations)])
    }

    private static func rotate(_ installations: Installations) -> Command {
        Command(
            "rotate", "Changes the master key, while servers are running.",
            discussion: """
                Creates the new key's file and encrypts every secret of the store under the new key. Running servers get \
                the new key from the store, and need no restart. If the command is interrupted, repeat it with the same \
                files; until it's finished, the present and the new file both work.

                Afterwards, put the new file in the place of the present one on every server. A server that starts with \
                the former file says that it needs the new one. Keep the former file for as long as you keep backups \
                from before: `tenure restore --former-key-file FILE` needs it.
                """,
            example: "tenure master-key rotate --new-key-file new.key --data ./tenure-data",
            arguments: [newKeyFile, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("newKeyFile", .text()), ("changed", .boolean)])
        ) { arguments, console in
            let file = MasterKeyFile(path: arguments[newKeyFile])
            let location = try StoreLocation.named(by: arguments)
            // If root runs the command, it switches to the folder's owner here, like every command.
            _ = try location.folder(creating: false)
            let store = try await installations.engines.open(location, creating: false, observer: nil)
            let isFinished: Bool
            do {
                isFinished = try await Self.isKey(file, of: store)
            } catch {
                await store.close()
                throw error
            }
            await store.close()
            if !isFinished { try await rotate(to: file, installations, arguments, console) }
            let text = isFinished ? "is already in" : "is now in"
            console.answer("the master key of the store \(text) \(file.path)", asJSON: arguments[SharedOptions.json]) {
                body in
                body.member("newKeyFile", file.path)
                body.member("changed", !isFinished)
            }
            console.note(
                "put it in place for every server, and restart them when it suits you. Keep the former key for as long as you keep backups from before"
            )
            return .done
        }
    }

    /// Whether a file contains the store's master key, and no change of the key is in progress.
    private static func isKey(_ file: MasterKeyFile, of store: any Store) async throws -> Bool {
        guard file.exists else { return false }
        let state = try await MasterKeyState.read(from: store)
        guard let checkValue = state.checkValue, state.change == nil else { return false }
        return try file.read().matches(checkValue: checkValue)
    }

    private static func rotate(
        to file: MasterKeyFile, _ installations: Installations, _ arguments: Parsed, _ console: Console
    ) async throws {
        let installation = try await installations.open(arguments, console: console)
        let store = installation.store
        let rotation = RotateMasterKey(store, of: installation.features.schema)
        let key = try await begin(rotation, from: installation.masterKeyFile, to: file, in: store)
        if installation.folder.map(\.isServed) ?? true {
            console.note("waiting for running servers to read the new key")
            try await Task.sleep(for: FollowMasterKey.interval * 3)
        }
        let bar = console.progress("changing the master key", total: try await rotation.rows())
        try await rotation.encryptAnew(under: key, report: bar.advance)
        bar.finish()
        try await rotation.finish(under: key, at: installation.clock.now())
        await store.close()
    }

    /// Begins the change, or continues an interrupted one. Returns the new key, which can also decrypt what the present
    /// one encrypted.
    private static func begin(
        _ rotation: RotateMasterKey, from present: MasterKeyFile, to file: MasterKeyFile, in store: any Store
    ) async throws -> MasterKey {
        let state = try await MasterKeyState.read(from: store)
        if state.change != nil {
            let presentKey = try present.read()
            guard let key = state.resolved(presentKey) else { throw Installation.otherKey(present, nil) }
            if !file.exists, let next = state.next(after: presentKey) { try file.create(next) }
            guard key.encrypts(like: try file.read()) else {
                throw CommandError(
                    "The master key is already being changed to another one. Nothing was changed. Pass the file of that key with --new-key-file FILE."
                )
            }
            return key
        }
        if !file.exists { try file.create() }
        return try await rotation.begin(from: try present.bytes(), to: try file.bytes())
    }
}
